using System.Text;
using Transfer.Replacing;
using Transfer.Sessions;
using Transfer.Sftp;
using Transfer.Sftp.Protocol;
using Transfer.Sftp.Session;
using Transfer.Sftp.Ssh.Wire;
using Transfer.Tests.Ftp.Listing;

namespace Transfer.Tests.Sftp.Protocol;

public sealed class SessionTests
{
    [Test]
    public async Task Init_realpath_and_limits_leave_before_version_has_come()
    {
        var channel = new PipeChannel();
        var opening = SftpSession.OpenAsync(channel, null, new SftpOptions(), new SftpServerState(), new ListLogger(),
            CancellationToken.None).AsTask();
        var seen = new List<SftpPacketType>();
        while (seen.Count < 3)
        {
            var result = await channel.ServerInput.ReadAsync();
            var buffer = result.Buffer;
            while (SftpFraming.TryTake(ref buffer, out var packet)) seen.Add((SftpPacketType)packet.FirstSpan[0]);
            channel.ServerInput.AdvanceTo(buffer.Start, buffer.End);
        }
        Assert.That(seen, Is.EqualTo(new[] { SftpPacketType.Init, SftpPacketType.Extended, SftpPacketType.RealPath }));
        await channel.ServerOutput.CompleteAsync();
        await opening.Failure<TransferConnectionException>();
        Assert.That(channel.Disposed);
    }

    [Test]
    public async Task A_careful_opening_asks_only_what_the_server_announced()
    {
        var server = new FakeServer();
        await using var session = await server.OpenAsync(state: new SftpServerState { SendsStepwise = true });
        Assert.That(server.Requests, Is.EqualTo(new[] { "RealPath ." }));
    }

    [Test]
    public async Task A_server_may_ignore_a_request_of_an_extension_that_it_does_not_announce_or_answer_it_late()
    {
        var (server, clock, id) = (new FakeServer(), new ManualTime(), 0u);
        server.Instead = request =>
        {
            if (request.Extension != SftpExtension.Limits) return null;
            id = request.Id;
            return [];
        };
        var options = new SftpOptions { TimeProvider = clock, IdleTimeout = TimeSpan.FromSeconds(60) };
        await using var session = await server.OpenAsync(options).AsTask().Soon();
        clock.Advance(TimeSpan.FromSeconds(100));
        Assert.That(session.Usable, "no reply is awaited");
        await server.SendAsync(FakeReply.Status(id, SftpStatus.Unsupported));
        Assert.That((await session.RunAsync(SftpHarness.Upload("/a", [1]))).Outcome, Is.InstanceOf<WorkOutcome.Done>());
        Assert.That(session.Usable);
    }

    [TestCase("Welcome to host\n", "Welcome to host")]
    [TestCase("x", "x")]
    [TestCase("\u001b[31mThe most\u0007", "The most")]
    public async Task Text_of_the_servers_shell_is_told_as_such_however_short(string text, string shown)
    {
        var channel = new PipeChannel();
        var opening = SftpSession.OpenAsync(channel, null, new SftpOptions(), new SftpServerState(), new ListLogger(),
            CancellationToken.None).AsTask();
        await channel.ServerOutput.WriteAsync(Encoding.UTF8.GetBytes(text));
        var error = await opening.Failure<TransferConnectionException>();
        Assert.That(error.Error, Is.EqualTo(TransferError.Protocol));
        Assert.That(error.Message, Does.StartWith("The server's shell printed text before SFTP began: \"").And.Contain(shown)
            .And.Contain("not interactive").And.None.EqualTo('\u001b'));
    }

    [Test]
    public async Task Of_a_shells_long_text_the_beginning_is_shown()
    {
        var channel = new PipeChannel();
        var opening = SftpSession.OpenAsync(channel, null, new SftpOptions(), new SftpServerState(), new ListLogger(),
            CancellationToken.None).AsTask();
        await channel.ServerOutput.WriteAsync(Encoding.UTF8.GetBytes(new string('a', 5000)));
        Assert.That((await opening.Failure<TransferConnectionException>()).Message, Does.Contain($"\"{new string('a', 60)}…\""));
    }

    [TestCase(true, TransferError.Unknown)]
    [TestCase(false, TransferError.Denied)]
    public async Task A_deletion_that_fails_is_told_from_one_that_is_refused(bool fails, TransferError error)
    {
        var server = new FakeServer();
        server.Instead = request => request.Type is SftpPacketType.Remove or SftpPacketType.RmDir
            ? FakeReply.Status(request.Id, fails ? SftpStatus.Failure : SftpStatus.PermissionDenied) : null;
        await using var session = await server.OpenAsync();
        Assert.That((await session.DeleteFilesAsync(["/a"], CancellationToken.None)).Single()!.Error, Is.EqualTo(error));
        // A folder that is not empty is a failure there.
        var folder = (await session.RemoveDirectoriesAsync(["/d"], CancellationToken.None)).Single()!;
        Assert.That(folder.Error, Is.EqualTo(TransferError.Denied));
    }

    [TestCase(true, TransferError.Unknown)]
    [TestCase(false, TransferError.Denied)]
    public async Task A_new_folder_that_fails_is_told_from_one_that_is_refused(bool fails, TransferError error)
    {
        var server = new FakeServer();
        server.Instead = request => request.Type == SftpPacketType.MkDir
            ? FakeReply.Status(request.Id, fails ? SftpStatus.Failure : SftpStatus.PermissionDenied) : null;
        await using var session = await server.OpenAsync();
        var made = await session.CreateDirectoriesAsync(["/new"], CancellationToken.None);
        Assert.That(made.Single().Error!.Error, Is.EqualTo(error));
    }

    [TestCase(2u, TransferError.Unsupported)]
    [TestCase(4u, TransferError.Protocol)]
    public async Task Another_version_is_refused(uint version, TransferError error)
    {
        var server = new FakeServer { Version = version };
        Assert.That((await server.OpenAsync().AsTask().Failure<TransferConnectionException>()).Error, Is.EqualTo(error));
        Assert.That(server.Channel.Disposed);
    }

    [TestCase(0ul, 0ul, 0ul, 0ul, 32768, 32768, 100)]
    [TestCase(ulong.MaxValue, ulong.MaxValue, ulong.MaxValue, ulong.MaxValue, 261_120, 261_120, 256)]
    [TestCase(262_144ul, 261_120ul, 261_120ul, 1019ul, 261_120, 261_120, 256)]
    [TestCase(34_000ul, 65_536ul, 65_536ul, 20ul, 32_976, 32_976, 12)]
    [TestCase(262_144ul, 1ul, 2000ul, 3ul, 32_768, 2000, 1)]
    [TestCase(1ul, 100_000ul, 100_000ul, 9ul, 100_000, 100_000, 1)]
    public void Limits_are_kept_within_reason(ulong packet, ulong read, ulong write, ulong handles, int reads, int writes, int files)
    {
        var fields = new System.Buffers.ArrayBufferWriter<byte>();
        foreach (var number in new[] { packet, read, write, handles }) fields.WriteUInt64(number);
        var limits = SftpLimits.Parse(fields.WrittenSpan);
        Assert.That((limits.Read, limits.Write, limits.Handles), Is.EqualTo((reads, writes, files)));
    }

    [TestCase(100_000ul, 100_000)]
    [TestCase(ulong.MaxValue, 128 << 10, Description = "What the link carries is not known yet, and several are to be on their way.")]
    public async Task Requests_are_as_long_as_the_limits_allow(ulong reads, int expected)
    {
        var server = new FakeServer { Limits = [262_144, reads, 0, 0], Extensions = [SftpExtension.Limits] };
        server.Store.Files["/a"] = SftpHarness.Bytes(600_000);
        await using var session = await server.OpenAsync();
        await session.RunAsync(SftpHarness.Download("/a", server.Store.Files["/a"]));
        await session.RunAsync(SftpHarness.Upload("/b", SftpHarness.Bytes(100_000)));
        Assert.That(server.Requests, Has.Some.EqualTo($"Read h1 0+{expected}").And.Some.EqualTo("Write h2 0+32768"));
    }

    [Test]
    public async Task A_handshake_that_never_ends_is_cancelled_by_its_caller()
    {
        using var cancel = new CancellationTokenSource();
        var channel = new PipeChannel();
        var opening = SftpSession.OpenAsync(channel, null, new SftpOptions(), new SftpServerState(), new ListLogger(),
            cancel.Token).AsTask();
        await cancel.CancelAsync();
        Assert.That((await opening.Failure<OperationCanceledException>()).CancellationToken, Is.EqualTo(cancel.Token));
        Assert.That(channel.Disposed);
    }

    [Test]
    public async Task The_log_in_folder_is_what_realpath_says()
    {
        var server = new FakeServer();
        server.Store.Files["/home/user/x"] = [1, 2];
        await using var session = await server.OpenAsync();
        Assert.That(await session.GetEntryAsync("/~/x", CancellationToken.None),
            Has.Property("Length").EqualTo(2).And.Property("Path").EqualTo("/~/x"));
        Assert.That(await session.GetEntryAsync("/~", CancellationToken.None), Has.Property("Type").EqualTo(RemoteEntryType.Directory));
        Assert.That(await session.GetEntryAsync("/~/y", CancellationToken.None), Is.Null);
    }

    [Test]
    public async Task A_directory_of_200000_entries_is_listed_with_requests_under_way()
    {
        var server = new FakeServer();
        server.Store.Listings["/big"] = new Queue<byte[]>(
            Enumerable.Range(0, 2000).Select(packet => Names(Enumerable.Range(packet * 100, 100).Select(i => ($"file{i}", 0x81A4u)))));
        await using var session = await server.OpenAsync();
        var (count, last) = (0, "");
        await foreach (var entry in session.ListAsync("/big", new ListingReport(), CancellationToken.None))
            (count, last) = (count + 1, entry.Path);
        Assert.That((count, last), Is.EqualTo((200_000, "/big/file199999")));
        // Several are asked for ahead, but no more than 32 beyond the end.
        Assert.That(server.Requests.Count(line => line.StartsWith("ReadDir", StringComparison.Ordinal)), Is.InRange(2001, 2033));
    }

    [Test]
    public async Task Names_that_lead_elsewhere_are_dropped_and_odd_ones_kept()
    {
        var logger = new ListLogger();
        var server = new FakeServer();
        server.Store.Listings["/odd"] = new Queue<byte[]>(
        [
            Names([(".", 0x41EDu), ("..", 0x41EDu), ("a/b", 0x81A4u), ("../../etc/passwd", 0x81A4u), ("nul\0l", 0x81A4u), ("", 0x81A4u),
                ("new\nline", 0x81A4u), ("\uDCFF", 0x81A4u)]),
        ]);
        await using var session = await SftpSession.OpenAsync(server.Start().Channel, null, new SftpOptions(), new SftpServerState(),
            logger, CancellationToken.None);
        Assert.That((await ListAsync(session, "/odd")).Select(entry => entry.Path), Is.EqualTo(new[] { "/odd/new\nline", "/odd/\uDCFF" }));
        Assert.That(logger.Messages, Has.Some.StartsWith("Warning 3202: 4 names"));
    }

    [Test]
    public async Task Types_come_from_the_permissions_or_else_from_the_long_name()
    {
        var server = new FakeServer();
        server.Store.Listings["/t"] = new Queue<byte[]>([FakeReply.Packet(SftpPacketType.Name, 0, fields =>
        {
            (string Name, string Line, uint? Permissions)[] entries =
            [
                ("d1", "-rw", 0x41ED), ("l1", "", 0xA1FF), ("f1", "", 0x81A4), ("p1", "", 0x11A4),
                ("d2", "drwxr-xr-x 2 a b", null), ("l2", "lrwxrwxrwx", null), ("f2", "-rw-r--r--", null), ("o2", "srwxr-xr-x 1", null),
                ("f3", "", null), ("d3", "drwxr-s--T+", 0x1ED),
            ];
            fields.WriteUInt32((uint)entries.Length);
            foreach (var (name, line, permissions) in entries)
            {
                fields.WriteString(name);
                fields.WriteString(line);
                FakeReply.WriteAttributes(fields, 5, permissions);
            }
        })]);
        await using var session = await server.OpenAsync();
        var types = (await ListAsync(session, "/t")).ToDictionary(entry => entry.Name, entry => entry.Type);
        Assert.That(types, Is.EqualTo(new Dictionary<string, RemoteEntryType>
        {
            ["d1"] = RemoteEntryType.Directory,
            ["l1"] = RemoteEntryType.Link,
            ["f1"] = RemoteEntryType.File,
            ["p1"] = RemoteEntryType.Other,
            ["d2"] = RemoteEntryType.Directory,
            ["l2"] = RemoteEntryType.Link,
            ["f2"] = RemoteEntryType.File,
            ["o2"] = RemoteEntryType.Other,
            ["f3"] = RemoteEntryType.File,
            ["d3"] = RemoteEntryType.Directory,
        }));
    }

    [Test]
    public async Task A_listing_that_lies_about_its_count_ends_the_session()
    {
        var server = new FakeServer();
        server.Store.Listings["/x"] =
            new Queue<byte[]>([FakeReply.Packet(SftpPacketType.Name, 0, fields => fields.WriteUInt32(uint.MaxValue))]);
        await using var session = await server.OpenAsync();
        Assert.That((await ListAsync(session, "/x").Failure<TransferConnectionException>()).Error, Is.EqualTo(TransferError.Protocol));
        Assert.That(session.Usable, Is.False);
    }

    [Test]
    public async Task A_listing_whose_packets_hold_nothing_ends_and_is_partial()
    {
        var server = new FakeServer();
        server.Store.Directories.Add("/x");
        server.Instead = request => request.Type == SftpPacketType.ReadDir ? Names([], request.Id) : null;
        await using var session = await server.OpenAsync();
        var report = new ListingReport();
        Assert.That(await session.ListAsync("/x", report, CancellationToken.None).ToListAsync().AsTask().Soon(), Is.Empty);
        Assert.That((report.Verdict, report.Reason), Is.EqualTo((ListingVerdict.Partial, "the server gave no more names, and no end")));
    }

    [Test]
    public async Task An_empty_packet_before_the_end_does_no_harm()
    {
        var server = new FakeServer();
        server.Store.Directories.Add("/x");
        var reads = 0;
        server.Instead = request => request.Type != SftpPacketType.ReadDir ? null : reads++ switch
        {
            0 => Names([("a", 0x81A4u)], request.Id),
            1 => Names([], request.Id),
            2 => Names([("b", 0x81A4u)], request.Id),
            _ => null,
        };
        await using var session = await server.OpenAsync();
        var report = new ListingReport();
        Assert.That(
            (await session.ListAsync("/x", report, CancellationToken.None).ToListAsync().AsTask().Soon()).Select(entry => entry.Name),
            Is.EqualTo(new[] { "a", "b" }));
        Assert.That(report.Verdict, Is.EqualTo(ListingVerdict.Complete));
    }

    [TestCase(false)]
    [TestCase(true)]
    public async Task A_refusal_behind_names_leaves_them_and_a_partial_listing_and_before_any_it_fails(bool hasNames)
    {
        var server = new FakeServer();
        server.Store.Directories.Add("/x");
        var reads = 0;
        server.Instead = request => request.Type != SftpPacketType.ReadDir ? null
            : reads++ == 0 && hasNames ? Names([("a", 0x81A4u)], request.Id)
            : FakeReply.Status(request.Id, SftpStatus.Failure);
        await using var session = await server.OpenAsync();
        var report = new ListingReport();
        var listing = session.ListAsync("/x", report, CancellationToken.None).ToListAsync().AsTask().Soon();
        if (!hasNames)
        {
            Assert.That((await listing.Failure<TransferException>()).Error, Is.EqualTo(TransferError.Unknown));
            return;
        }
        Assert.That((await listing).Select(entry => entry.Name), Is.EqualTo(new[] { "a" }));
        Assert.That(report.Reason, Does.StartWith("the server ended it with a refusal"));
        Assert.That(session.Usable);
    }

    [Test]
    public async Task A_listing_with_names_that_were_dropped_is_partial()
    {
        var server = new FakeServer();
        server.Store.Listings["/odd"] = new Queue<byte[]>([Names([("a/b", 0x81A4u), ("good", 0x81A4u)])]);
        await using var session = await server.OpenAsync();
        var report = new ListingReport();
        Assert.That(await session.ListAsync("/odd", report, CancellationToken.None).CountAsync(), Is.EqualTo(1));
        Assert.That(report.Verdict, Is.EqualTo(ListingVerdict.Partial));
    }

    [Test]
    public async Task A_missing_directory_is_not_found()
    {
        var server = new FakeServer();
        await using var session = await server.OpenAsync();
        Assert.That((await ListAsync(session, "/none").Failure<TransferException>()).Error, Is.EqualTo(TransferError.NotFound));
        Assert.That(session.Usable);
    }

    [Test]
    public async Task Owners_get_their_names_where_the_server_tells_them()
    {
        var server = new FakeServer { Extensions = [SftpExtension.UsersGroups] };
        server.Store.Files["/a"] = [];
        server.Store.Files["/b"] = [];
        server.Instead = request =>
            request.Extension != SftpExtension.UsersGroups ? null : FakeReply.Packet(SftpPacketType.ExtendedReply, request.Id, fields =>
        {
            fields.WriteString((byte[])[0, 0, 0, 5, .. "alice"u8]);
            fields.WriteString("");
        });
        await using var session = await server.OpenAsync();
        Assert.That((await ListAsync(session, "/")).Select(entry => entry.Owner), Is.EqualTo(new[] { "alice", "alice" }));
        Assert.That(server.Requests.Count(line => line.StartsWith(SftpExtension.UsersGroups, StringComparison.Ordinal)), Is.EqualTo(1));
    }

    [Test]
    public async Task A_link_is_a_link_with_what_it_leads_to([Values] bool dangling)
    {
        var server = new FakeServer();
        server.Instead = request => request.Type switch
        {
            SftpPacketType.LStat => FakeReply.Attributes(request.Id, fields => FakeReply.WriteAttributes(fields, 4, 0xA1FF, 1)),
            SftpPacketType.Stat =>
                dangling ? FakeReply.Status(request.Id, SftpStatus.NoSuchFile) : FakeReply.Attributes(request.Id,
                    fields => FakeReply.WriteAttributes(fields, 77, 0x81A4, 2)),
            SftpPacketType.ReadLink => Names([("../f", 0u)], request.Id),
            _ => null,
        };
        await using var session = await server.OpenAsync();
        var entry = await session.GetEntryAsync("/l", CancellationToken.None);
        Assert.That(entry, Has.Property("Type").EqualTo(RemoteEntryType.Link).And.Property("LinkTarget").EqualTo("../f"));
        Assert.That((entry!.Length, entry.Modified),
            Is.EqualTo(dangling ? ((long?)null, DateTimeOffset.FromUnixTimeSeconds(1)) : (77, DateTimeOffset.FromUnixTimeSeconds(2))));
    }

    [Test]
    public async Task Directories_are_made_level_by_level_and_those_that_exist_are_no_error()
    {
        var server = new FakeServer();
        server.Store.Directories.Add("/old");
        server.Store.Files["/file"] = [];
        await using var session = await server.OpenAsync();
        server.Requests.Clear();
        var outcomes = await session.CreateDirectoriesAsync(["/a", "/a/b", "/old", "/a/c", "/file", "/none/x"], CancellationToken.None);
        Assert.That(outcomes.Select(outcome => (outcome.Created, outcome.Error?.Error)), Is.EqualTo(new (bool, TransferError?)[]
        {
            (true, null), (true, null), (false, null), (true, null), (false, TransferError.Exists), (false, TransferError.NotFound),
        }));
        Assert.That(server.Requests.Where(line => line.StartsWith("MkDir", StringComparison.Ordinal)),
            Is.EqualTo(new[] { "MkDir /a", "MkDir /old", "MkDir /file", "MkDir /a/b", "MkDir /a/c", "MkDir /none/x" }));
    }

    [Test]
    public async Task Files_and_directories_are_deleted_together_each_with_its_own_error()
    {
        var server = new FakeServer();
        server.Store.Directories.UnionWith(["/a", "/a/b", "/full", "/full/x"]);
        server.Store.Files["/f"] = [];
        await using var session = await server.OpenAsync();
        Assert.That((await session.DeleteFilesAsync(["/f", "/none"], CancellationToken.None)).Select(e => e?.Error),
            Is.EqualTo(new TransferError?[] { null, TransferError.NotFound }));
        var errors = await session.RemoveDirectoriesAsync(["/a", "/a/b", "/full"], CancellationToken.None);
        Assert.That(errors.Select(e => e?.Error), Is.EqualTo(new TransferError?[] { null, null, TransferError.Denied }));
    }

    [Test]
    public async Task A_move_replaces_only_when_told_to()
    {
        var server = new FakeServer();
        server.Store.Files["/a"] = [1];
        server.Store.Files["/b"] = [2];
        await using var session = await server.OpenAsync();
        Assert.That(
            (await session.RenameAsync(new Renaming("/a", "/b"), CancellationToken.None).AsTask().Failure<TransferException>()).Error,
            Is.EqualTo(TransferError.Exists));
        await session.RenameAsync(new Renaming("/a", "/b") { Replace = true }, CancellationToken.None);
        await session.RenameAsync(new Renaming("/b", "/c"), CancellationToken.None);
        Assert.That(server.Store.Files.Single().Key, Is.EqualTo("/c"));
        Assert.That(
            (await session.RenameAsync(new Renaming("/none",
                "/d")
            { Replace = true }, CancellationToken.None).AsTask().Failure<TransferException>()).Error,
                Is.EqualTo(TransferError.NotFound));
    }

    [Test]
    public async Task Metadata_is_set_in_whole_seconds_and_what_does_not_fit_is_left_alone()
    {
        var server = new FakeServer();
        server.Store.Files["/a"] = [1];
        await using var session = await server.OpenAsync();
        await session.SetMetadataAsync("/a",
            new FileMetadata { Modified = DateTimeOffset.FromUnixTimeMilliseconds(5999), Mode = (UnixFileMode)0x9FF },
            CancellationToken.None);
        Assert.That(server.Store.Set["/a"], Is.EqualTo(new SftpAttributes { Modified = 5, Permissions = 0x9FF }));
        server.Requests.Clear();
        await session.SetMetadataAsync("/a", new FileMetadata { Modified = new DateTimeOffset(1900, 1, 1, 0, 0, 0, TimeSpan.Zero) },
            CancellationToken.None);
        Assert.That(server.Requests, Is.Empty);
        Assert.That(
            (await session.SetMetadataAsync("/none", new FileMetadata
            { Mode = 0 }, CancellationToken.None).AsTask().Failure<TransferException>()).Error, Is.EqualTo(TransferError.NotFound));
        Assert.That(await session.HashAsync("/a", "SHA-256", CancellationToken.None), Is.Null);
        Assert.That(session.HashSource, Is.EqualTo(HashSource.Command), "where there is one");
    }

    private static byte[] Names(IEnumerable<(string Name, uint Permissions)> names, uint id = 0) =>
        FakeReply.Packet(SftpPacketType.Name, id, fields =>
    {
        var all = names.ToArray();
        fields.WriteUInt32((uint)all.Length);
        foreach (var (name, permissions) in all)
        {
            fields.WriteString(NameEncoding.LosslessUtf8.GetBytes(name));
            fields.WriteString(Encoding.ASCII.GetBytes("?"));
            FakeReply.WriteAttributes(fields, 1, permissions);
        }
    });

    private static async Task<List<RemoteEntry>> ListAsync(SftpSession session, string path)
    {
        var entries = new List<RemoteEntry>();
        await foreach (var entry in session.ListAsync(path, new ListingReport(), CancellationToken.None)) entries.Add(entry);
        return entries;
    }
}
