using Transfer.Replacing;
using Transfer.Sessions;
using Transfer.Sftp.Protocol;
using Transfer.Sftp.Session;
using Transfer.Tests.Engine;

namespace Transfer.Tests.Sftp.Protocol;

public sealed class UploadTests
{
    [Test]
    public async Task A_refused_upload_names_the_path_that_was_asked_for_and_not_the_temporary_one()
    {
        var server = new FakeServer();
        await using var session = await server.OpenAsync();
        var item = await session.RunAsync(
            new TestItem(WorkKind.Upload, "/absent/.transfer-1-1.part", new TestContent([1])) { LaterPath = "/absent/f" });
        Assert.That(item.Error().Message, Does.Contain("/absent/f").And.Not.Contain(".transfer-"));
        Assert.That((item.Error().Error, item.Error().RemotePath), Is.EqualTo((TransferError.NotFound, "/absent/f")));
    }

    [TestCase("SSH-2.0-OpenSSH_9.9", false)]
    [TestCase("SSH-2.0-mod_sftp", true)]
    public async Task Where_names_have_rules_a_refused_temporary_name_leads_to_the_option_without_one(string software, bool named)
    {
        var server = new FakeServer();
        server.Instead = request => request.Type == SftpPacketType.Open && request.Text.Contains(".transfer-", StringComparison.Ordinal)
            ? FakeReply.Status(request.Id, SftpStatus.PermissionDenied) : null;
        await using var session = await server.OpenAsync(software: software);
        var item = await session.RunAsync(SftpHarness.Upload("/a", [1]));
        Assert.That(item.Error().Message, named ? Does.Contain("--publish direct") : Does.Not.Contain("--publish direct"));
    }

    [Test]
    public async Task A_small_file_takes_open_then_everything_to_close_back_to_back_then_the_rename()
    {
        var server = new FakeServer();
        await using var session = await server.OpenAsync();
        var item = new TestItem(WorkKind.Upload, "/a", new TestContent([1, 2, 3]))
        {
            TemporaryPath = "/t",
            Replace = true,
            Metadata = new FileMetadata { Modified = DateTimeOffset.FromUnixTimeSeconds(1_600_000_000), Mode = UnixFileMode.UserRead },
        };
        await session.RunAsync(item);
        Assert.That(item.Outcome, Is.EqualTo(new WorkOutcome.Done(3, VerificationMode.Size)));
        Assert.That(server.Requests[2..], Is.EqualTo(new[]
        {
            "Open /t", "Write h1 0+3", "FSetStat h1", "Close h1", "LStat /t", "posix-rename@openssh.com /t -> /a",
        }));
        Assert.That(server.Store.Files["/a"], Is.EqualTo(new byte[] { 1, 2, 3 }));
        Assert.That(server.Store.Set["/a"], Is.EqualTo(new SftpAttributes { Modified = 1_600_000_000, Permissions = 0x100 }));
        Assert.That(item.Reported, Is.EqualTo(3));
    }

    [TestCase("/new")]
    [TestCase("/home")]
    public async Task Its_folder_is_made_in_front_of_open_and_nobody_minds_when_it_is_there(string folder)
    {
        var server = new FakeServer();
        await using var session = await server.OpenAsync();
        var item = new TestItem(WorkKind.Upload, folder + "/a", new TestContent([1]))
        {
            TemporaryPath = folder + "/t",
            Replace = true,
            Directory = folder
        };
        await session.RunAsync(item);
        Assert.That(item.Outcome, Is.EqualTo(new WorkOutcome.Done(1, VerificationMode.Size)));
        Assert.That(server.Requests[2..5], Is.EqualTo(new[] { $"MkDir {folder}", $"Stat {folder}/a", $"Open {folder}/t" }));
    }

    [Test]
    public async Task Nothing_behind_open_waits_for_another_reply_until_the_rename()
    {
        // The server is silent after OPEN's handle until CLOSE has come: whoever waited for a WRITE's status would hang.
        var server = new FakeServer();
        var held = new List<byte[]>();
        server.Instead = request =>
        {
            if (request.Type == SftpPacketType.Write)
            {
                held.Add(server.Store.Serve(request));
                return [];
            }
            return request.Type == SftpPacketType.Close ? [.. held.SelectMany(packet => packet), .. server.Store.Serve(request)] : null;
        };
        await using var session = await server.OpenAsync();
        var item = await session.RunAsync(SftpHarness.Upload("/a", SftpHarness.Bytes(100_000)));
        Assert.That(item.Outcome, Is.InstanceOf<WorkOutcome.Done>());
        Assert.That(held, Has.Count.EqualTo(4));
    }

    [TestCase(0)]
    [TestCase(1)]
    [TestCase(32 * 1024)]
    [TestCase(5_000_001)]
    public async Task Contents_arrive_whole(int length)
    {
        var server = new FakeServer();
        await using var session = await server.OpenAsync();
        var bytes = SftpHarness.Bytes(length);
        var item = await session.RunAsync(SftpHarness.Upload("/a", bytes));
        Assert.That(item.Outcome, Is.EqualTo(new WorkOutcome.Done(length, VerificationMode.Size)));
        Same.Bytes(server.Store.Files["/a"], bytes);
        Assert.That(server.Store.Files.Keys, Is.EqualTo(new[] { "/a" }));
        Assert.That(server.Store.Open, Is.Empty);
    }

    [Test]
    public async Task A_range_goes_into_what_is_there()
    {
        var server = new FakeServer();
        server.Store.Files["/a"] = [9, 9, 9, 9, 9];
        await using var session = await server.OpenAsync();
        var item = new TestItem(WorkKind.Upload, "/a", new TestContent([0, 1, 2, 3, 4])) { Offset = 1, End = 3 };
        await session.RunAsync(item);
        Assert.That(item.Outcome, Is.EqualTo(new WorkOutcome.Done(2, VerificationMode.Size)));
        Assert.That(server.Store.Files["/a"], Is.EqualTo(new byte[] { 9, 1, 2, 9, 9 }));
    }

    [Test]
    public async Task A_failed_write_is_the_files_error_though_close_succeeded_and_leaves_nothing()
    {
        var server = new FakeServer();
        server.Instead = request =>
            request is { Type: SftpPacketType.Write, Offset: 32 * 1024 }
            ? FakeReply.Status(request.Id, SftpStatus.Failure, "No space left") : null;
        await using var session = await server.OpenAsync();
        var bad = SftpHarness.Upload("/bad", SftpHarness.Bytes(100_000));
        var good = SftpHarness.Upload("/good", SftpHarness.Bytes(1000));
        await session.RunAsync(bad, good);
        Assert.That(bad.Error(),
            Has.Property("Error").EqualTo(TransferError.Quota).And.Property("ServerCode").EqualTo(4).And.Property("RemotePath")
                .EqualTo("/bad"));
        Assert.That(good.Outcome, Is.InstanceOf<WorkOutcome.Done>());
        Assert.That(server.Store.Files.Keys, Is.EqualTo(new[] { "/good" }));
        Assert.That(session.Usable);
    }

    [TestCase(SftpPacketType.Write, SftpStatus.PermissionDenied, TransferError.Denied)]
    [TestCase(SftpPacketType.Write, SftpStatus.QuotaExceeded, TransferError.Quota)]
    [TestCase(SftpPacketType.Close, SftpStatus.Failure, TransferError.Quota)]
    [TestCase(SftpPacketType.Open, SftpStatus.PermissionDenied, TransferError.Denied)]
    [TestCase(SftpPacketType.Open, SftpStatus.NoSuchFile, TransferError.NotFound)]
    [TestCase(SftpPacketType.Open, SftpStatus.Failure, TransferError.Denied)]
    [TestCase(SftpPacketType.Extended, SftpStatus.PermissionDenied, TransferError.Denied)]
    [TestCase(SftpPacketType.Extended, SftpStatus.Failure, TransferError.Denied)]
    public async Task Every_refusal_on_the_way_is_the_files_error(object type, object status, TransferError error)
    {
        var server = new FakeServer();
        server.Instead = request =>
            (request.Type == (SftpPacketType)type && request.Extension != SftpExtension.Limits)
            // RENAME would do where only the extension is refused.
            || ((SftpPacketType)type == SftpPacketType.Extended && request is { Type: SftpPacketType.Rename, Target: "/a" })
            ? FakeReply.Status(request.Id, (SftpStatus)status) : null;
        await using var session = await server.OpenAsync();
        var item = await session.RunAsync(SftpHarness.Upload("/a", [1, 2, 3]));
        Assert.That(item.Error().Error, Is.EqualTo(error));
        Assert.That(server.Store.Files, Is.Empty);
        Assert.That(session.Usable);
    }

    [Test]
    public async Task Another_size_at_the_server_is_an_integrity_error()
    {
        var server = new FakeServer();
        server.Instead = request =>
            request.Type == SftpPacketType.LStat
            ? FakeReply.Attributes(request.Id, fields => FakeReply.WriteAttributes(fields, 2, 0x81A4)) : null;
        await using var session = await server.OpenAsync();
        var item = await session.RunAsync(SftpHarness.Upload("/a", [1, 2, 3]));
        Assert.That(item.Error().Error, Is.EqualTo(TransferError.Integrity));
        Assert.That(server.Store.Files, Is.Empty);
    }

    [Test]
    public async Task A_file_that_the_server_loses_at_CLOSE_is_no_success(
        [Values] bool direct, [Values("OpenSSH_9.9", "Other")] string software, [Values(0, 1, null)] int? left)
    {
        var server = new FakeServer();
        server.Instead = request =>
        {
            if (request.Type != SftpPacketType.Close || !server.Store.Open.TryGetValue(request.Text, out var path)) return null;
            if (left is { } length) server.Store.Files[path] = new byte[length];
            else server.Store.Files.Remove(path);
            return null;
        };
        await using var session = await server.OpenAsync(software: "SSH-2.0-" + software);
        for (var i = 0; i < 2; i++)
        {
            var item = await session.RunAsync(SftpHarness.Upload($"/{i}", [1, 2, 3], direct: direct));
            // The engine looks further for a file that is not shown, and publishes none that is not there.
            if (left is null) Assert.That(item.Outcome, Is.EqualTo(new WorkOutcome.Done(3, VerificationMode.Reply) { IsUnseen = true }));
            else Assert.That(item.Error().Error, Is.EqualTo(TransferError.Integrity));
            Assert.That(server.Requests, Has.None.Contain($"-> /{i}"));
        }
    }

    [Test]
    public async Task A_segment_that_the_server_loses_at_CLOSE_is_no_success([Values(1, null)] int? left)
    {
        var server = new FakeServer();
        server.Instead = request =>
        {
            if (request.Type != SftpPacketType.Close) return null;
            if (left is { } length) server.Store.Files["/t"] = new byte[length];
            else server.Store.Files.Remove("/t");
            return null;
        };
        await using var session = await server.OpenAsync();
        var item = await session.RunAsync(
            new TestItem(WorkKind.Upload, "/a", new TestContent([1, 2, 3])) { TemporaryPath = "/t", Replace = true, IsSegment = true });
        Assert.That(item.Error().Error, Is.EqualTo(TransferError.Integrity));
    }

    [Test]
    public async Task A_file_written_in_place_may_have_the_name_of_a_link()
    {
        var server = new FakeServer();
        (server.Store.Files["/real"], server.Store.Links["/link"]) = ([7], "/real");
        await using var session = await server.OpenAsync();
        var item = await session.RunAsync(SftpHarness.Upload("/link", [1, 2, 3], direct: true));
        Assert.That(item.Outcome, Is.EqualTo(new WorkOutcome.Done(3, VerificationMode.Size)));
    }

    [Test]
    public async Task A_look_that_overtakes_CLOSE_is_made_again()
    {
        var (server, looks) = (new FakeServer(), 0);
        server.Instead = request => request is { Type: SftpPacketType.LStat, Text: not "/a" } && ++looks == 1
            ? FakeReply.Attributes(request.Id, fields => FakeReply.WriteAttributes(fields, 0, 0x81A4)) : null;
        await using var session = await server.OpenAsync();
        var item = await session.RunAsync(SftpHarness.Upload("/a", [1, 2, 3]));
        Assert.That((item.Outcome, looks), Is.EqualTo(((WorkOutcome)new WorkOutcome.Done(3, VerificationMode.Size), 2)));
    }

    [Test]
    public async Task Attributes_that_cannot_be_set_or_read_are_no_failure()
    {
        var server = new FakeServer();
        server.Instead = request =>
            request.Type is SftpPacketType.Stat or SftpPacketType.FSetStat or SftpPacketType.SetStat
            ? FakeReply.Status(request.Id, SftpStatus.Unsupported) : null;
        await using var session = await server.OpenAsync();
        var item = new TestItem(WorkKind.Upload, "/a",
            new TestContent([1]))
        { Metadata = new FileMetadata { Modified = DateTimeOffset.UnixEpoch } };
        await session.RunAsync(item);
        Assert.That(item.Outcome, Is.EqualTo(new WorkOutcome.Done(1, VerificationMode.Reply) { IsUnseen = true }));
    }

    [Test]
    public async Task A_file_that_may_not_be_replaced_stays([Values] bool direct, [Values] bool renamesOver)
    {
        var server = new FakeServer();
        server.Store.Files["/a"] = [7];
        // Some servers' plain RENAME replaces.
        server.Instead = request =>
        {
            if (renamesOver && request.Type == SftpPacketType.Rename) server.Store.Files.Remove("/a");
            return null;
        };
        await using var session = await server.OpenAsync();
        var item = await session.RunAsync(SftpHarness.Upload("/a", [1, 2, 3], replace: false, direct));
        Assert.That(item.Error().Error, Is.EqualTo(TransferError.Exists));
        Assert.That(server.Store.Files, Is.EqualTo(new Dictionary<string, byte[]> { ["/a"] = [7] }));
    }

    [Test]
    public async Task A_target_that_appears_between_the_look_and_the_rename_exists()
    {
        var server = new FakeServer();
        server.Instead = request =>
        {
            if (request.Type == SftpPacketType.Rename) server.Store.Files["/a"] = [7];
            return null;
        };
        await using var session = await server.OpenAsync();
        var item = await session.RunAsync(SftpHarness.Upload("/a", [1, 2, 3], replace: false));
        Assert.That(item.Error().Error, Is.EqualTo(TransferError.Exists));
        Assert.That(server.Store.Files.Keys, Is.EqualTo(new[] { "/a" }));
    }

    [Test]
    public async Task Without_posix_rename_the_old_file_is_moved_aside_and_goes_when_the_new_one_has_its_name()
    {
        var server = new FakeServer { Extensions = [] };
        server.Store.Files["/a"] = [7];
        server.Store.Files["/b"] = [8];
        var state = new SftpServerState();
        await using var session = await server.OpenAsync(state: state);
        var item = await session.RunAsync(SftpHarness.Upload("/a", [1, 2, 3]));
        Assert.That(item.Outcome, Is.InstanceOf<WorkOutcome.Done>());
        Assert.That(server.Store.Files["/a"], Is.EqualTo(new byte[] { 1, 2, 3 }));
        Assert.That(state.Renames.Of("/b"), Is.EqualTo(ReplacementKnowledge.NeedsAside));

        await session.RunAsync(SftpHarness.Upload("/b", [4]));
        Assert.That(server.Requests[^4], Does.Match(@"^Rename /b -> /b\.transfer-[0-9a-f]{16}-[0-9]+\.old$"));
        Assert.That(server.Requests[^3], Does.Match(@"^Rename /\.transfer-.*\.part -> /b$"));
        Assert.That(server.Requests[^1], Does.StartWith("Remove /b.transfer-"));
        Assert.That(server.Store.Files.Keys, Is.EquivalentTo(new[] { "/a", "/b" }));
    }

    [Test]
    public async Task Where_nothing_can_be_renamed_the_old_file_stays_and_the_error_says_what_helps()
    {
        var server = new FakeServer { Extensions = [] };
        server.Store.Files["/a"] = [7];
        server.Instead = request => request.Type == SftpPacketType.Rename ? FakeReply.Status(request.Id, SftpStatus.Failure) : null;
        await using var session = await server.OpenAsync();
        var item = await session.RunAsync(SftpHarness.Upload("/a", [1, 2, 3]));
        Assert.That(item.Error().NeedsDirectPublish);
        Assert.That(server.Store.Files.Single(), Is.EqualTo(new KeyValuePair<string, byte[]>("/a", [7])));
    }

    [Test]
    public async Task A_source_that_fails_costs_its_file_alone()
    {
        var server = new FakeServer();
        await using var session = await server.OpenAsync();
        // A connection of the source's, as in a copy between servers: not this session's.
        var bad = SftpHarness.Upload("/bad", [1, 2], fault: new TransferConnectionException("The source is gone."));
        var good = SftpHarness.Upload("/good", [1]);
        await session.RunAsync(bad, good);
        Assert.That(bad.Outcome, Is.InstanceOf<WorkOutcome.Failed>());
        Assert.That(bad.Error(), Is.Not.InstanceOf<TransferConnectionException>());
        Assert.That(good.Outcome, Is.InstanceOf<WorkOutcome.Done>());
        Assert.That(server.Store.Files.Keys, Is.EqualTo(new[] { "/good" }));
    }

    [Test]
    public async Task A_cancelled_item_is_cleaned_up_and_its_neighbours_go_on()
    {
        var server = new FakeServer();
        var victim = SftpHarness.Upload("/victim", SftpHarness.Bytes(300_000));
        var other = SftpHarness.Upload("/other", SftpHarness.Bytes(10));
        server.Instead = request =>
        {
            if (request.Type == SftpPacketType.Open && request.Text.Contains("victim", StringComparison.Ordinal)) victim.Cancel.Cancel();
            return null;
        };
        await using var session = await server.OpenAsync();
        await session.RunAsync(victim, other);
        Assert.That(victim.Outcome, Is.InstanceOf<WorkOutcome.Failed>());
        Assert.That(other.Outcome, Is.InstanceOf<WorkOutcome.Done>());
        Assert.That(server.Store.Files.Keys, Is.EqualTo(new[] { "/other" }));
        Assert.That(server.Store.Open, Is.Empty);
        Assert.That(session.Usable);
    }

    [Test]
    public async Task Hundreds_of_files_are_under_way_within_the_servers_handle_limit()
    {
        var server = new FakeServer
        {
            Limits = [262_144, 261_120, 261_120, 28],
            Extensions = [SftpExtension.PosixRename, SftpExtension.Limits]
        };
        await using var session = await server.OpenAsync();
        var items = Enumerable.Range(0, 1000).Select(i => SftpHarness.Upload($"/f{i}", SftpHarness.Bytes(i))).ToArray();
        await session.RunAsync(items);
        Assert.That(items.Select(item => item.Outcome), Is.All.InstanceOf<WorkOutcome.Done>());
        Assert.That(server.Store.Files, Has.Count.EqualTo(1000));
        Assert.That(server.MostOpen, Is.InRange(2, 28));
    }

    [Test]
    public async Task A_server_that_refuses_more_open_files_than_it_said_is_asked_again_with_fewer()
    {
        var server = new FakeServer { MaxHandles = 5 };
        await using var session = await server.OpenAsync();
        var items = Enumerable.Range(0, 300).Select(i => SftpHarness.Upload($"/f{i}", [1])).ToArray();
        await session.RunAsync(items);
        Assert.That(items.Select(item => item.Outcome), Is.All.InstanceOf<WorkOutcome.Done>());
        server.Requests.Clear();
        await session.RunAsync([.. Enumerable.Range(0, 300).Select(i => SftpHarness.Upload($"/g{i}", [1]))]);
        Assert.That(server.Requests.Count(line => line.StartsWith("Open ", StringComparison.Ordinal)), Is.EqualTo(300), "it was learned");
    }

    [Test]
    public async Task Files_are_flushed_to_the_servers_disk_when_that_is_asked_for_and_can_be_had([Values] bool asked,
        [Values] bool offered)
    {
        var server = new FakeServer { Extensions = offered ? [SftpExtension.FSync] : [] };
        server.Instead = request => request.Extension == SftpExtension.FSync ? FakeReply.Status(request.Id, SftpStatus.Failure) : null;
        await using var session = await server.OpenAsync();
        var item = await session.RunAsync(
            new TestItem(WorkKind.Upload, "/a", new TestContent([1])) { TemporaryPath = "/a.part", FlushToDisk = asked });
        if (asked && offered) Assert.That(item.Error().Message, Does.StartWith("fsync"));
        Assert.That(server.Store.Files.ContainsKey("/a"), Is.EqualTo(!(asked && offered)));
        Assert.That(server.Store.Files.ContainsKey("/a.part"), Is.False);
    }
}
