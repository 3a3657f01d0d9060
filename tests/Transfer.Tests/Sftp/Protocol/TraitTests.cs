using Transfer.Pooling;
using Transfer.Sessions;
using Transfer.Sftp.Protocol;
using Transfer.Sftp.Session;
using Transfer.Sftp.Ssh.Wire;
using Transfer.Tests.Engine;

namespace Transfer.Tests.Sftp.Protocol;

/// <summary>Servers that differ from most: what an upload finds out, what the next does, and what is remembered.</summary>
public sealed class TraitTests
{
    private const uint Time = 1_600_000_000;

    [TestCase(SftpStatus.Ok)]
    [TestCase(SftpStatus.Unsupported)]
    public async Task A_server_without_the_attributes_of_open_files_differs_in_nothing(object status)
    {
        var (server, state) = (new FakeServer(), State());
        // FSTAT is missing, or is STAT of the path before.
        server.Instead = request => request.Type != SftpPacketType.FStat ? null
            : (SftpStatus)status != SftpStatus.Ok ? FakeReply.Status(request.Id, (SftpStatus)status)
            : FakeReply.Attributes(request.Id, fields => FakeReply.WriteAttributes(fields, 0, 0x41FF));
        await using var session = await server.OpenAsync(state: state);
        Assert.That((await session.RunAsync(Item("/a"))).Outcome, Is.EqualTo(new WorkOutcome.Done(3, VerificationMode.Size)));
    }

    [Test]
    public async Task A_file_that_is_short_behind_CLOSE_is_no_success()
    {
        var (server, state) = (new FakeServer(), State());
        server.Instead = request =>
        {
            if (request.Type != SftpPacketType.Write) return null;
            server.Store.Files[server.Store.Open[request.Text]] = [1];
            return FakeReply.Status(request.Id, SftpStatus.Ok);
        };
        await using var session = await server.OpenAsync(state: state);
        var item = await session.RunAsync(Item("/a"));
        Assert.That(item.Error().Error, Is.EqualTo(TransferError.Integrity));
        Assert.That(server.Store.Files.Keys, Does.Not.Contain("/a"));
    }

    [TestCase(8)]
    [TestCase(2)]
    [TestCase(3)]
    [TestCase(4)]
    [TestCase(5)]
    public async Task Times_that_are_refused_by_handle_and_by_path_are_sent_no_more(int status)
    {
        var (server, state) = (new FakeServer(), State());
        var times = 0;
        server.Instead = request =>
        {
            if (request.Type is not (SftpPacketType.FSetStat or SftpPacketType.SetStat)) return null;
            if (request.Attributes.Modified is not null) times++;
            return FakeReply.Status(request.Id, (SftpStatus)status);
        };
        await using (var session = await server.OpenAsync(state: state))
        {
            Assert.That(session.Features.SetsModified);
            Assert.That((await session.RunAsync(Item("/a"))).Outcome, Is.InstanceOf<WorkOutcome.Done>());
            Assert.That(server.Requests, Does.Contain("SetStat /home/a"));
            // A rename that has overtaken SETSTAT has the same answer: the new name is tried.
            Assert.That(times, Is.InRange(2, status == (int)SftpStatus.NoSuchFile ? 4 : 3));
            times = 0;
            Assert.That((await session.RunAsync(Item("/b"))).Outcome, Is.InstanceOf<WorkOutcome.Done>());
            Assert.That(times, Is.Zero);
        }
        await using var next = await new FakeServer(server.Store).OpenAsync(state: state);
        Assert.That(next.Features.SetsModified, Is.False);
    }

    [Test]
    public async Task A_time_refused_by_handle_is_set_by_path_in_the_flight_of_the_rename()
    {
        var (server, state) = (new FakeServer(), State());
        server.Instead = request => request.Type == SftpPacketType.FSetStat ? FakeReply.Status(request.Id, SftpStatus.Unsupported) : null;
        await using var session = await server.OpenAsync(state: state);
        await session.RunAsync(Item("/a"));
        await session.RunAsync(Item("/b"));
        Assert.That(server.Requests[^6..], Is.EqualTo(new[]
        {
            "Open /home/b", "Write h2 0+3", "Close h2", "LStat /home/b", "SetStat /home/b", "posix-rename@openssh.com /home/b -> /b",
        }));
        Assert.That(server.Store.Set["/a"].Modified, Is.EqualTo(Time));
        Assert.That(server.Store.Set["/b"].Modified, Is.EqualTo(Time));
        Assert.That(session.Features.SetsModified);
        Assert.That(state.Traits.Has(SftpTrait.NoTimes), Is.False);
    }

    [Test]
    public async Task A_time_that_is_set_without_effect_shows_behind_CLOSE_at_servers_that_are_not_known()
    {
        var (server, state) = (new FakeServer(), State());
        server.Instead = request => request.Type is SftpPacketType.FSetStat or SftpPacketType.SetStat
            ? FakeReply.Status(request.Id, SftpStatus.Ok) : null;
        await using var session = await server.OpenAsync(state: state);
        await session.RunAsync(Item("/a"));
        Assert.That(server.Requests[^4..], Is.EqualTo(new[]
        {
            "LStat /home/a", "SetStat /home/a", "LStat /home/a", "posix-rename@openssh.com /home/a -> /a",
        }));
        Assert.That(state.Traits.Has(SftpTrait.NoTimes));
    }

    [Test]
    public async Task A_time_that_has_an_effect_by_path_only_is_set_by_path_from_then_on()
    {
        var (server, state) = (new FakeServer(), State());
        server.Instead = request => request.Type == SftpPacketType.FSetStat ? FakeReply.Status(request.Id, SftpStatus.Ok) : null;
        await using var session = await server.OpenAsync(state: state);
        await session.RunAsync(Item("/a"));
        await session.RunAsync(Item("/b"));
        Assert.That(new[] { "/a", "/b" }.Select(path => server.Store.Set[path].Modified), Is.All.EqualTo(Time));
        Assert.That(server.Requests[^6..], Is.EqualTo(new[]
        {
            "Open /home/b", "Write h2 0+3", "Close h2", "LStat /home/b", "SetStat /home/b", "posix-rename@openssh.com /home/b -> /b",
        }));
        Assert.That(state.Traits.Has(SftpTrait.NoTimes), Is.False);
    }

    [Test]
    public async Task A_time_whose_effect_a_later_write_undid_says_nothing_about_the_server_and_is_set_again([Values] bool behindLook)
    {
        var (server, state) = (new FakeServer(), State());
        var held = new List<FakeRequest>();
        server.Instead = request =>
        {
            if (request.Type == SftpPacketType.Write || behindLook && request.Type == SftpPacketType.Close)
            {
                held.Add(request);
                return [];
            }
            if (held.Count == 0 || request.Type != (behindLook ? SftpPacketType.LStat : SftpPacketType.FSetStat)) return null;
            // The WRITE runs behind FSETSTAT, or behind the look at the file too.
            List<byte> replies = [.. server.Store.Serve(request), .. server.Store.Serve(held[0])];
            server.Store.Set["/home/a"] = new SftpAttributes { Modified = Time + 1_000 };
            foreach (var later in held[1..]) replies.AddRange(server.Store.Serve(later));
            held.Clear();
            return [.. replies];
        };
        await using var session = await server.OpenAsync(state: state);
        var item = await session.RunAsync(Item("/a"));
        Assert.That(item.Outcome, Is.InstanceOf<WorkOutcome.Done>());
        Assert.That(state.Traits.Has(SftpTrait.Unordered));
        Assert.That(state.Traits.Has(SftpTrait.NoTimes) || state.Traits.Has(SftpTrait.RenewsTimes), Is.False);
        Assert.That(server.Store.Set["/a"].Modified, Is.EqualTo(Time));
    }

    // Stores of objects rename by a copy.
    [TestCase(false)]
    [TestCase(true)]
    public async Task A_time_that_a_rename_changes_is_noticed_at_the_first_file(bool changes)
    {
        var (server, state) = (new FakeServer(), State());
        server.Instead = request => changes && request is { Type: SftpPacketType.LStat, Text: "/a" or "/b" }
            ? FakeReply.Attributes(request.Id, fields => FakeReply.WriteAttributes(fields, 3, 0x81A4, Time + 1000)) : null;
        await using var session = await server.OpenAsync(state: state);
        await session.RunAsync(Item("/a"));
        Assert.That((state.Traits.KeepsTimes, state.Traits.Has(SftpTrait.RenewsTimes)), Is.EqualTo((!changes, changes)));
        await session.RunAsync(Item("/b"));
        Assert.That(server.Requests.Count(request => request is "LStat /a" or "LStat /b"), Is.EqualTo(1));
    }

    [TestCase(true)]
    [TestCase(false)]
    public async Task A_name_that_is_described_as_a_folder_as_any_name_is_absent_where_nothing_is_in_it(bool isEmpty)
    {
        var (server, state) = (new FakeServer(), State());
        server.Instead = request => request.Type == SftpPacketType.LStat && !server.Store.Files.ContainsKey(request.Text)
            ? FakeReply.Attributes(request.Id, fields => FakeReply.WriteAttributes(fields, 0, 0x41FF, modified: 0)) : null;
        server.Store.Directories.Add("/a");
        server.Store.Files["/file"] = [1];
        if (!isEmpty)
        {
            server.Store.Listings["/a"] = new([FakeReply.Packet(SftpPacketType.Name, 0,
                fields => FakeStore.WriteName(fields, "f", 0x81A4, 1))]);
        }
        await using var session = await server.OpenAsync(state: state);
        var entry = await session.GetEntryAsync("/a", CancellationToken.None);
        Assert.That(entry?.Type, Is.EqualTo(isEmpty ? null : (RemoteEntryType?)RemoteEntryType.Directory));
        Assert.That(state.Traits.Has(SftpTrait.PhantomFolders));
        Assert.That((await session.GetEntryAsync("/file", CancellationToken.None))?.Type, Is.EqualTo(RemoteEntryType.File));
    }

    [Test]
    public async Task OpenSSH_is_asked_nothing_more()
    {
        var (server, state) = (new FakeServer(), State());
        await using var session = await server.OpenAsync(state: state, software: "SSH-2.0-OpenSSH_9.9");
        await session.RunAsync(Item("/a"));
        Assert.That(server.Requests[2..], Is.EqualTo(new[]
        {
            "Open /home/a", "Write h1 0+3", "FSetStat h1", "Close h1", "LStat /home/a", "posix-rename@openssh.com /home/a -> /a",
        }));
        Assert.That((state.Traits.Has(SftpTrait.NoTimes), state.Traits.IsSettled(SftpTrait.NoTimes)), Is.EqualTo((false, true)));
    }

    [Test]
    public async Task Another_process_knows_that_no_times_are_kept_and_finds_out_when_they_are_again()
    {
        using var folder = new TempFolder();
        var (options, endpoint) = (new TransferClientOptions { LimitsFile = Path.Combine(folder.Path, "limits") },
            new Uri("sftp://host.example"));
        async Task<SftpTraits> NextAsync(Action<SftpTraits>? find = null)
        {
            var memory = ServerMemory.Of(endpoint, options)!;
            var traits = new SftpTraits(memory);
            await traits.RecallAsync();
            find?.Invoke(traits);
            await memory.Written;
            return traits;
        }

        Assert.That((await NextAsync(traits => traits.Settle(SftpTrait.Unordered, has: false))).Has(SftpTrait.NoTimes), Is.False);
        Assert.That(File.Exists(options.LimitsFile), Is.False, "nothing to remember");
        await NextAsync(traits => traits.Settle(SftpTrait.NoTimes, has: true));
        var second = await NextAsync();
        Assert.That((second.Has(SftpTrait.NoTimes), second.IsSettled(SftpTrait.NoTimes)), Is.EqualTo((true, false)));
        await NextAsync(traits => traits.Settle(SftpTrait.NoTimes, has: false));
        Assert.That((await NextAsync()).Has(SftpTrait.NoTimes), Is.False);
    }

    [TestCase(0ul, 3, true)]
    [TestCase(9ul, 3, false)]
    [TestCase(9ul, 9 * 4096, false)]
    [TestCase(9ul, 9 * 4096 + 1, true)]
    public async Task A_write_that_fails_on_a_full_disk_says_so(ulong free, int length, bool isFull)
    {
        var server = new FakeServer { Extensions = [SftpExtension.PosixRename, SftpExtension.StatVfs] };
        server.Instead = request => request switch
        {
            { Type: SftpPacketType.Write } => FakeReply.Status(request.Id, SftpStatus.Failure),
            { Extension: SftpExtension.StatVfs } => FakeReply.Packet(SftpPacketType.ExtendedReply, request.Id, fields =>
            {
                foreach (var number in (ulong[])[4096, 4096, 100, free, free, 0, 0, 0, 0, 0, 255]) fields.WriteUInt64(number);
            }),
            _ => null,
        };
        await using var session = await server.OpenAsync();
        var error = (await session.RunAsync(SftpHarness.Upload("/a", new byte[length]))).Error();
        Assert.That((error.Error, error.Message.Contains("no space is left", StringComparison.Ordinal)),
            Is.EqualTo((TransferError.Quota, isFull)));
    }

    [Test]
    public async Task A_folder_in_the_way_of_a_file_written_in_place_is_named()
    {
        var server = new FakeServer();
        await using var session = await server.OpenAsync();
        var item = await session.RunAsync(SftpHarness.Upload("/home", [1], direct: true));
        Assert.That((item.Error().Error, item.Error().Message), Is.EqualTo((TransferError.Exists, "/home is a folder, and in the way.")));
    }

    [Test]
    public async Task Steps_of_two_seconds_are_the_precision_from_the_first_odd_time_on()
    {
        var (server, state) = (new FakeServer(), State());
        server.Instead = request =>
        {
            if (request.Type != SftpPacketType.FSetStat) return null;
            var whole = request.Attributes with { Modified = request.Attributes.Modified & ~1u };
            server.Store.Set[server.Store.Open[request.Text]] = whole;
            return FakeReply.Status(request.Id, SftpStatus.Ok);
        };
        await using var session = await server.OpenAsync(state: state);
        await session.RunAsync(Item("/a"));
        Assert.That(session.Features.TimePrecision, Is.EqualTo(TimeSpan.FromSeconds(1)), "an even time shows no step");
        await session.RunAsync(Item("/b", Time + 1));
        Assert.That((session.Features.TimePrecision, session.Features.SetsModified), Is.EqualTo((TimeSpan.FromSeconds(2), true)));
    }

    [Test]
    public async Task An_odd_time_that_is_kept_shows_that_steps_are_seconds()
    {
        var (server, state) = (new FakeServer(), State());
        await using var session = await server.OpenAsync(state: state);
        await session.RunAsync(Item("/a", Time + 1));
        Assert.That((state.Traits.IsSettled(SftpTrait.CoarseTimes), state.Traits.Has(SftpTrait.CoarseTimes)), Is.EqualTo((true, false)));
    }

    [Test]
    public async Task A_server_that_shows_no_times_keeps_none_from_the_first_file_on()
    {
        var (server, state) = (new FakeServer(), State());
        server.Instead = request => request.Type == SftpPacketType.LStat && server.Store.Files.ContainsKey(request.Text)
            ? FakeReply.Attributes(request.Id, fields => FakeReply.WriteAttributes(fields, 3, 0x81A4, modified: null)) : null;
        await using var session = await server.OpenAsync(state: state);
        Assert.That(session.Features.SetsModified);
        Assert.That((await session.RunAsync(Item("/a"))).Outcome, Is.InstanceOf<WorkOutcome.Done>());
        Assert.That(session.Features.SetsModified, Is.False);
    }

    private static SftpServerState State() => new() { Umask = new SftpUmask((UnixFileMode)0b000_010_010) };

    private static TestItem Item(string path, uint time = Time) => new(WorkKind.Upload, path, new TestContent([1, 2, 3]))
    {
        TemporaryPath = "/home" + path,
        Replace = true,
        Metadata = new FileMetadata { Modified = DateTimeOffset.FromUnixTimeSeconds(time), Mode = UnixFileMode.UserRead },
    };
}
