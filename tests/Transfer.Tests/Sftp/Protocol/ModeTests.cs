using Microsoft.Extensions.Logging;
using Transfer.Modes;
using Transfer.Replacing;
using Transfer.Sessions;
using Transfer.Sftp;
using Transfer.Sftp.Protocol;
using Transfer.Sftp.Session;
using Transfer.Tests.Engine;

namespace Transfer.Tests.Sftp.Protocol;

/// <summary>Permissions of uploads: what is asked for, when, and what the server has then.</summary>
public sealed class ModeTests
{
    private const UnixFileMode Usual = (UnixFileMode)0b110_100_100;

    private static readonly string[] UmaskAsked = ["Open /t0000000", "LStat /t0000000"];

    [Test]
    public async Task A_temporary_file_is_its_owners_alone_and_gets_the_replaced_files_permissions_behind_its_content()
    {
        var server = Server("/a", 0b111_101_101);
        await using var session = await server.OpenAsync();
        await session.RunAsync(Item());
        Assert.That(server.Requests[2..], Is.EqualTo(new[]
        {
            "Stat /a", "Open /t", "Write h1 0+3", "FSetStat h1", "Close h1", "LStat /t", "posix-rename@openssh.com /t -> /a",
        }));
        Assert.That(ModeOf(server, "/a"), Is.EqualTo((UnixFileMode)0b111_101_101));
    }

    [Test]
    public async Task It_is_created_with_0600_whatever_it_is_to_have()
    {
        var server = Server("/a", 0b110_110_110);
        UnixFileMode? created = null;
        server.Instead = request =>
        {
            if (request.Type == SftpPacketType.Open) created = request.Attributes.Mode;
            return null;
        };
        await using var session = await server.OpenAsync();
        await session.RunAsync(Item());
        Assert.That(created, Is.EqualTo(FinalMode.Unfinished));
    }

    [TestCase(1000u, 0b110_110_000, Description = "the group's own")]
    [TestCase(7u, 0b110_000_000, Description = "another group's")]
    public async Task What_its_group_may_do_is_given_to_the_same_group_only(uint group, int expected)
    {
        var server = Server("/a", 0b110_110_000);
        server.Store.Groups["/a"] = group;
        await using var session = await server.OpenAsync();
        await session.RunAsync(Item());
        Assert.That(ModeOf(server, "/a"), Is.EqualTo((UnixFileMode)expected));
        // What is known only with the file's own group goes in the rename's flight.
        Assert.That(server.Requests.Contains("SetStat /t"), Is.EqualTo(group == 1000));
    }

    [Test]
    public async Task Set_user_id_does_not_survive()
    {
        var server = Server("/a", 0b110_111_101_101);
        await using var session = await server.OpenAsync();
        await session.RunAsync(Item());
        Assert.That(ModeOf(server, "/a"), Is.EqualTo((UnixFileMode)0b111_101_101));
    }

    [Test]
    public async Task A_file_that_is_written_under_its_own_name_loses_set_user_id_before_anything_is_written()
    {
        var server = Server("/a", 0b100_111_101_101);
        await using var session = await server.OpenAsync();
        await session.RunAsync(SftpHarness.Upload("/a", [1], direct: true));
        Assert.That(server.Requests[2..5], Is.EqualTo(new[] { "Stat /a", "Open /a", "FSetStat h1" }));
        Assert.That(ModeOf(server, "/a"), Is.EqualTo((UnixFileMode)0b111_101_101));
    }

    [TestCase(0x12, 0b111_111_111, 0b111_101_101)]
    [TestCase(0x3F, 0b111_101_101, 0b111_000_000)]
    [TestCase(0x12, 0b110_000_000, 0b110_000_000)]
    public async Task A_new_file_gets_the_sources_without_the_servers_umask(int umask, int source, int expected)
    {
        var server = new FakeServer(new FakeStore { Umask = (uint)umask });
        await using var session = await server.OpenAsync(state: new SftpServerState());
        await session.RunAsync(Item((UnixFileMode)source));
        Assert.That(ModeOf(server, "/a"), Is.EqualTo((UnixFileMode)expected));
        Assert.That(server.Store.Files.Keys, Is.EqualTo(new[] { "/a" }), "nothing is left of the question");
    }

    [Test]
    public async Task The_umask_is_asked_once_beside_what_is_asked_anyway()
    {
        var server = new FakeServer();
        await using var session = await server.OpenAsync(state: new SftpServerState());
        await session.RunAsync(Item(Usual));
        Assert.That(server.Requests[2..6], Is.EqualTo((string[])["Stat /a", "Open /t", .. UmaskAsked]));
        Assert.That(server.Requests[^2..], Is.EqualTo(new[] { "SetStat /t", "posix-rename@openssh.com /t -> /a" }));
        var before = server.RequestCount;
        await session.RunAsync(Item((UnixFileMode)0b111_101_101, "/b"));
        Assert.That(server.Requests[before..], Is.EqualTo(new[]
        {
            "Stat /b", "Open /t", "Write h3 0+3", "FSetStat h3", "Close h3", "LStat /t", "posix-rename@openssh.com /t -> /b",
        }));
    }

    [Test]
    public async Task One_warning_is_given_of_a_umask_that_cannot_be_found()
    {
        var (server, log) = (new FakeServer(), new LogLines(LogLevel.Warning));
        server.Instead = request => request.Type == SftpPacketType.LStat && request.Text.EndsWith("0000000", StringComparison.Ordinal)
            ? FakeReply.Status(request.Id, SftpStatus.Failure) : null;
        await using var session = await SftpSession.OpenAsync(server.Start().Channel, "Transfer.Testing", new SftpOptions(),
            new SftpServerState { Traits = SftpHarness.Usual() }, log, CancellationToken.None);
        await session.RunAsync(Item(Usual));
        await session.RunAsync(Item(Usual, "/b"));
        Assert.That(log.All.Count(line => line.Event == "ModeUnknown"), Is.EqualTo(1));
    }

    [Test]
    public async Task A_private_source_asks_for_no_umask_and_sets_nothing()
    {
        var server = new FakeServer();
        await using var session = await server.OpenAsync(state: new SftpServerState());
        await session.RunAsync(Item(FinalMode.Unfinished));
        Assert.That(server.Requests[2..],
            Is.EqualTo(new[] { "Stat /a", "Open /t", "Write h1 0+3", "Close h1", "LStat /t", "posix-rename@openssh.com /t -> /a" }));
    }

    [TestCase(SftpStatus.PermissionDenied)]
    [TestCase(SftpStatus.Unsupported)]
    [TestCase(SftpStatus.Failure)]
    public async Task A_server_that_sets_no_permissions_keeps_the_time_and_creates_the_next_files_with_theirs(object status)
    {
        var server = new FakeServer();
        server.Instead =
            request => request.Type is SftpPacketType.FSetStat or SftpPacketType.SetStat && request.Attributes.Permissions is not null
            ? FakeReply.Status(request.Id, (SftpStatus)status) : null;
        await using var session = await server.OpenAsync();
        await session.RunAsync(Item(Usual, time: 1_600_000_000));
        Assert.That((server.Store.Set["/a"].Modified, ModeOf(server, "/a")), Is.EqualTo(((uint?)1_600_000_000, FinalMode.Unfinished)));
        await session.RunAsync(Item(Usual, "/b", 1_600_000_000));
        Assert.That((server.Store.Set["/b"].Modified, ModeOf(server, "/b")), Is.EqualTo(((uint?)1_600_000_000, Usual)));
    }

    [TestCase(SftpStatus.PermissionDenied)]
    [TestCase(SftpStatus.Unsupported)]
    [TestCase(SftpStatus.Failure)]
    public async Task Permissions_refused_by_handle_are_set_by_path_of_new_and_of_replaced_files(object status)
    {
        var (server, state) = (Server("/b", 0b110_110_100), new SftpServerState());
        server.Store.Groups["/b"] = 7;
        server.Instead = request => request.Type == SftpPacketType.FSetStat ? FakeReply.Status(request.Id, (SftpStatus)status) : null;
        await using var session = await server.OpenAsync(state: state);
        await session.RunAsync(Item(Usual, "/b"));
        Assert.That(ModeOf(server, "/b"), Is.EqualTo(Usual));
        await session.RunAsync(Item(Usual, "/a", 1_600_000_000));
        Assert.That((server.Store.Set["/a"].Modified, ModeOf(server, "/a")), Is.EqualTo(((uint?)1_600_000_000, Usual)));
        Assert.That((state.NoModes, state.NoHandleAttributes), Is.EqualTo((false, true)));
    }

    [Test]
    public async Task A_failure_of_one_file_behind_permissions_that_were_set_concerns_that_file()
    {
        var (server, state) = (new FakeServer(), new SftpServerState());
        await using var session = await server.OpenAsync(state: state);
        await session.RunAsync(Item(Usual));
        server.Instead = request => request.Type is SftpPacketType.FSetStat or SftpPacketType.SetStat
            ? FakeReply.Status(request.Id, SftpStatus.Failure) : null;
        await session.RunAsync(Item((UnixFileMode)0b111_101_101, "/b"));
        Assert.That((state.NoModes, ModeOf(server, "/b")), Is.EqualTo((false, FinalMode.Unfinished)));
    }

    [Test]
    public async Task What_an_earlier_run_has_begun_is_closed_to_others_before_more_is_written()
    {
        var server = Server("/t", 0b110_100_100);
        await using var session = await server.OpenAsync();
        var item = new TestItem(WorkKind.Upload, "/a", new TestContent([1, 2, 3]))
        {
            TemporaryPath = "/t",
            Replace = true,
            Offset = 1,
            SourceMode = Usual
        };
        await session.RunAsync(item);
        Assert.That(server.Requests[2..6], Is.EqualTo(new[] { "Stat /a", "Open /t", "FSetStat h1", "Write h1 1+2" }));
        Assert.That(ModeOf(server, "/a"), Is.EqualTo(Usual));
    }

    [Test]
    public async Task A_file_that_the_engine_names_has_its_permissions_before()
    {
        var server = Server("/a", 0b111_101_101);
        await using var session = await server.OpenAsync();
        var item = new TestItem(WorkKind.Upload, "/t", new TestContent([1])) { LaterPath = "/a", ReplacesLater = true };
        await session.RunAsync(item);
        Assert.That(item.Outcome, Is.EqualTo(new WorkOutcome.Done(1, VerificationMode.Size) { HasMode = true }));
        Assert.That(ModeOf(server, "/t"), Is.EqualTo((UnixFileMode)0b111_101_101));
    }

    [Test]
    public async Task Segments_are_settled_together_once_all_are_there()
    {
        var server = Server("/a", 0b110_110_000);
        await using var session = await server.OpenAsync();
        await session.RunAsync(
            new TestItem(WorkKind.Upload, "/a", new TestContent([1])) { TemporaryPath = "/t", Replace = true, IsSegment = true });
        Assert.That(ModeOf(server, "/t"), Is.EqualTo(FinalMode.Unfinished));
        await session.SettleModeAsync(new ModeSettlement("/t", "/a", Usual), CancellationToken.None);
        Assert.That(ModeOf(server, "/t"), Is.EqualTo((UnixFileMode)0b110_110_000));
        await session.SettleModeAsync(new ModeSettlement("/t", "/none", Usual), CancellationToken.None);
        Assert.That(ModeOf(server, "/t"), Is.EqualTo(Usual));
        Assert.That(await session.SettleModeAsync(new ModeSettlement("/gone", "/a", Usual), CancellationToken.None),
            "it has its name by now");
    }

    [TestCase(1000u, 0b110_110_000, Description = "the group's own")]
    [TestCase(7u, 0b110_000_000, Description = "another group's")]
    public async Task A_segments_session_tells_what_the_whole_is_to_have_and_sets_nothing(uint group, int expected)
    {
        var server = Server("/a", 0b110_110_000);
        server.Store.Groups["/a"] = group;
        await using var session = await server.OpenAsync();
        var item = new TestItem(WorkKind.Upload, "/a", new TestContent([1])) { TemporaryPath = "/t", Replace = true, IsSegment = true };
        await session.RunAsync(item);
        Assert.That((item.Outcome as WorkOutcome.Done)?.FinalMode, Is.EqualTo((UnixFileMode)expected));
        Assert.That(server.Requests[2..], Is.EqualTo(new[] { "Stat /a", "Open /t", "Write h1 0+1", "Close h1", "LStat /t" }));
    }

    [Test]
    public async Task A_segment_of_a_new_file_has_the_umask_asked_beside_its_content()
    {
        var server = new FakeServer();
        await using var session = await server.OpenAsync(state: new SftpServerState());
        var item = new TestItem(WorkKind.Upload, "/a", new TestContent([1]))
        {
            TemporaryPath = "/t",
            Replace = true,
            IsSegment = true,
            SourceMode = (UnixFileMode)0b110_110_110
        };
        await session.RunAsync(item);
        Assert.That((item.Outcome as WorkOutcome.Done)?.FinalMode, Is.EqualTo(Usual));
        Assert.That(ModeOf(server, "/t"), Is.EqualTo(FinalMode.Unfinished));
    }

    [Test]
    public async Task Permissions_and_time_leave_with_the_rename_and_the_time_is_kept_where_they_are_refused()
    {
        var server = Server("/t", 0b110_000_000);
        server.Instead = request =>
            request.Type is SftpPacketType.SetStat && request.Attributes.Permissions is not null
            ? FakeReply.Status(request.Id, SftpStatus.PermissionDenied) : null;
        await using var session = await server.OpenAsync();
        var metadata = new FileMetadata { Modified = DateTimeOffset.FromUnixTimeSeconds(1_600_000_000), Mode = Usual };
        await session.RenameAsync(new Renaming("/t", "/a") { IsTemporary = true, Replace = true, Metadata = metadata },
            CancellationToken.None);
        Assert.That(server.Requests[2..], Is.EqualTo(new[] { "SetStat /t", "posix-rename@openssh.com /t -> /a", "SetStat /a" }));
        Assert.That(server.Store.Set["/a"].Modified, Is.EqualTo(1_600_000_000u));
    }

    [Test]
    public async Task A_session_that_is_lost_over_the_question_for_the_umask_names_its_file()
    {
        var server = new FakeServer();
        server.Instead = request =>
        {
            if (request.Type == SftpPacketType.Remove) server.Channel.ServerOutput.Complete();
            return null;
        };
        await using var session = await server.OpenAsync(state: new SftpServerState());
        await session.RunAsync(Item(Usual)).Soon();
        Assert.That((session.Usable, session.OwnFiles), Is.EqualTo((false, new[] { "/t0000000" })));
    }

    [Test]
    public async Task A_complete_file_is_published_without_another_probe_once_a_probe_has_cost_a_session()
    {
        var (state, log, store) = (new SftpServerState { Traits = SftpHarness.Usual() }, new LogLines(LogLevel.Warning), new FakeStore());
        var lost = new FakeServer(store);
        lost.Instead = request =>
        {
            if (request.Type == SftpPacketType.Remove) lost.Channel.ServerOutput.Complete();
            return null;
        };
        await using (var first = await lost.OpenAsync(state: state)) await first.RunAsync(Item(Usual)).Soon();
        var server = new FakeServer(store);
        await using var session = await SftpSession.OpenAsync(server.Start().Channel, "Transfer.Testing", new SftpOptions(), state, log,
            CancellationToken.None);
        Assert.That(await session.SettleModeAsync(new ModeSettlement("/t", null, Usual), CancellationToken.None));
        Assert.That(server.Requests, Has.None.Contains("0000000"));
        Assert.That(ModeOf(server, "/t"), Is.EqualTo(FinalMode.Unfinished));
        Assert.That(log.All.Select(line => line.Event), Is.EqualTo(new[] { "ModeUnknown" }));
        store.Files.Remove("/t");
        await session.RunAsync(Item(Usual, "/b"));
        Assert.That(ModeOf(server, "/b"), Is.EqualTo(Usual), "the network may have been the reason once");
    }

    [Test]
    public async Task A_segment_of_which_others_have_moved_everything_fails_for_no_length()
    {
        var server = Server("/t", 0b110_000_000);
        await using var session = await server.OpenAsync();
        var item = new TestItem(WorkKind.Upload, "/a", new TestContent([1, 2, 3]))
        {
            TemporaryPath = "/t",
            Replace = true,
            IsSegment = true,
            Offset = 3,
            End = 3
        };
        await session.RunAsync(item);
        Assert.That(item.Outcome, Is.EqualTo(new WorkOutcome.Done(0, VerificationMode.Size) { FinalMode = Usual }));
    }

    private static FakeServer Server(string path, int mode)
    {
        var server = new FakeServer();
        server.Store.Files[path] = [9];
        server.Store.Modes[path] = (uint)mode;
        return server;
    }

    private static TestItem Item(UnixFileMode? source = null, string path = "/a", long? time = null) =>
        new(WorkKind.Upload, path, new TestContent([1, 2, 3]))
        {
            TemporaryPath = "/t",
            Replace = true,
            SourceMode = source,
            Metadata = time is { } seconds ? new FileMetadata { Modified = DateTimeOffset.FromUnixTimeSeconds(seconds) } : null,
        };

    private static UnixFileMode ModeOf(FakeServer server, string path) => (UnixFileMode)server.Store.Modes[path];
}
