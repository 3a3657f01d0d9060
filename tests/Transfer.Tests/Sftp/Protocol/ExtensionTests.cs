using Transfer.Replacing;
using Transfer.Sessions;
using Transfer.Sftp.Protocol;
using Transfer.Sftp.Session;
using Transfer.Tests.Engine;

namespace Transfer.Tests.Sftp.Protocol;

/// <summary>Extensions that are used where they are offered, and what is done without them.</summary>
public sealed class ExtensionTests
{
    private static readonly FileCopy Copy = new()
    {
        Source = "/a",
        Target = "/b",
        TemporaryPath = "/b.part",
        Verify = VerificationMode.Size,
        Metadata = new FileMetadata { Modified = DateTimeOffset.FromUnixTimeSeconds(7) },
    };

    [Test]
    public async Task A_file_is_copied_in_pieces_and_published_whole()
    {
        var (server, content) = Copier(40_000_000);
        await using var session = await server.OpenAsync();
        server.Requests.Clear();
        long moved = 0;
        var copied = await session.CopyFileAsync(Copy with { Moved = bytes => moved += bytes }, CancellationToken.None);
        Assert.That((copied, moved), Is.EqualTo((new WorkOutcome.Done(content.Length, VerificationMode.Size), (long)content.Length)));
        Assert.That(server.Store.Files["/b"].AsSpan().SequenceEqual(content));
        Assert.That(server.Store.Set["/b"].Modified, Is.EqualTo(7));
        Assert.That(server.Requests.Where(line => line.StartsWith("copy-data", StringComparison.Ordinal)), Is.EqualTo(new[]
        {
            "copy-data h1 -> h2 0+16777216", "copy-data h1 -> h2 16777216+16777216", "copy-data h1 -> h2 33554432+6445568",
        }));
        Assert.That(server.Store.Open, Is.Empty);
        Assert.That(server.Store.Files.Keys, Is.EquivalentTo(new[] { "/a", "/b" }));
    }

    [Test]
    public async Task What_has_no_length_is_copied_to_its_end()
    {
        var (server, _) = Copier(0);
        await using var session = await server.OpenAsync();
        Assert.That((await session.CopyFileAsync(Copy, CancellationToken.None))?.Bytes, Is.Zero);
        Assert.That(server.Store.Files["/b"], Is.Empty);
    }

    [Test]
    public async Task A_server_that_does_not_copy_is_not_asked_and_one_that_breaks_its_word_leaves_nothing()
    {
        var plain = new FakeServer();
        await using var without = await plain.OpenAsync();
        var before = plain.RequestCount;
        Assert.That((await without.CopyFileAsync(Copy, CancellationToken.None), plain.RequestCount),
            Is.EqualTo(((WorkOutcome.Done?)null, before)));
        Assert.That(without.Features.CopiesFiles, Is.False);

        var (server, _) = Copier(1000);
        server.Instead =
            request => request.Extension == SftpExtension.CopyData ? FakeReply.Status(request.Id, SftpStatus.Unsupported) : null;
        await using var session = await server.OpenAsync();
        Assert.That(session.Features.CopiesFiles);
        Assert.That(await session.CopyFileAsync(Copy, CancellationToken.None), Is.Null);
        Assert.That(server.Store.Files.Keys, Is.EqualTo(new[] { "/a" }));
    }

    [TestCase(4u, TransferError.Quota)]
    [TestCase(1u, TransferError.Integrity)]
    [TestCase(3u, TransferError.Denied)]
    public async Task A_copy_that_fails_leaves_nothing(uint status, TransferError error)
    {
        var (server, _) = Copier(20_000_000);
        server.Instead = request =>
            request is { Extension: SftpExtension.CopyData, Offset: > 0 } ? FakeReply.Status(request.Id, (SftpStatus)status) : null;
        await using var session = await server.OpenAsync();
        Assert.That((await session.CopyFileAsync(Copy, CancellationToken.None).AsTask().Failure<TransferException>()).Error,
            Is.EqualTo(error));
        Assert.That(server.Store.Files.Keys, Is.EqualTo(new[] { "/a" }));
        Assert.That((server.Store.Open.Count, session.Usable), Is.EqualTo((0, true)));
    }

    [Test]
    public async Task A_copy_that_the_server_loses_at_CLOSE_is_no_success([Values] bool direct, [Values(0, 1, null)] int? left)
    {
        var (server, _) = Copier(1000);
        server.Instead = request =>
        {
            if (request.Type != SftpPacketType.Close || !server.Store.Open.TryGetValue(request.Text, out var path) || path == "/a")
                return null;
            if (left is { } length) server.Store.Files[path] = new byte[length];
            else server.Store.Files.Remove(path);
            return null;
        };
        await using var session = await server.OpenAsync();
        var copy = direct ? Copy with { TemporaryPath = null } : Copy;
        Assert.That((await session.CopyFileAsync(copy, CancellationToken.None).AsTask().Failure<TransferException>()).Error,
            Is.EqualTo(TransferError.Integrity));
        Assert.That(server.Store.Files.Keys, Is.EqualTo(new[] { "/a" }));
    }

    [Test]
    public async Task A_look_that_overtakes_the_CLOSE_of_a_copy_is_made_again()
    {
        var ((server, _), looks) = (Copier(1000), 0);
        server.Instead = request => request is { Type: SftpPacketType.LStat, Text: "/b.part" } && ++looks == 1
            ? FakeReply.Attributes(request.Id, fields => FakeReply.WriteAttributes(fields, 0, 0x81A4)) : null;
        await using var session = await server.OpenAsync();
        Assert.That(await session.CopyFileAsync(Copy, CancellationToken.None),
            Is.EqualTo(new WorkOutcome.Done(1000, VerificationMode.Size)));
        Assert.That(looks, Is.EqualTo(2));
    }

    [Test]
    public async Task A_copy_replaces_only_when_asked_and_never_itself()
    {
        var (server, content) = Copier(10);
        server.Store.Files["/b"] = [9];
        await using var session = await server.OpenAsync();
        foreach (var copy in new[] { Copy, Copy with { TemporaryPath = null } })
        {
            Assert.That((await session.CopyFileAsync(copy, CancellationToken.None).AsTask().Failure<TransferException>()).Error,
                Is.EqualTo(TransferError.Exists));
        }

        Assert.That(
            (await session.CopyFileAsync(Copy with { Source = "/none" },
                CancellationToken.None).AsTask().Failure<TransferException>()).Error, Is.EqualTo(TransferError.NotFound));
        var self = Copy with { Target = "/a", TemporaryPath = null, Replace = true };
        Assert.That((await session.CopyFileAsync(self, CancellationToken.None).AsTask().Failure<TransferException>()).Error,
            Is.EqualTo(TransferError.Denied));
        Assert.That(server.Store.Files["/b"], Is.EqualTo(new byte[] { 9 }));
        await session.CopyFileAsync(Copy with { Replace = true }, CancellationToken.None);
        Same.Bytes(server.Store.Files["/b"], content);
        Assert.That((server.Store.Files.Count, server.Store.Open.Count), Is.EqualTo((2, 0)));
    }

    [Test]
    public async Task A_copy_is_on_the_servers_disk_before_it_has_its_name()
    {
        var server = new FakeServer { Extensions = [SftpExtension.CopyData, SftpExtension.PosixRename, SftpExtension.FSync] };
        server.Store.Files["/a"] = SftpHarness.Bytes(10);
        server.Instead = request => request.Extension == SftpExtension.FSync ? FakeReply.Status(request.Id, SftpStatus.Failure) : null;
        await using var session = await server.OpenAsync();
        var refused = await session.CopyFileAsync(Copy with { FlushToDisk = true },
            CancellationToken.None).AsTask().Failure<TransferException>();
        Assert.That(refused.Message, Does.StartWith("fsync"));
        Assert.That(server.Store.Files.Keys, Is.EqualTo(new[] { "/a" }));
        await session.CopyFileAsync(Copy, CancellationToken.None);
        Assert.That(server.Store.Files.ContainsKey("/b"));
    }

    [Test]
    public async Task A_copy_is_given_up_between_two_pieces()
    {
        var (server, _) = Copier(40_000_000);
        using var cancel = new CancellationTokenSource();
        await using var session = await server.OpenAsync();
        await session.CopyFileAsync(Copy with { Moved = _ => cancel.Cancel() }, cancel.Token).AsTask()
            .Failure<OperationCanceledException>();
        Assert.That(server.Requests.Count(line => line.StartsWith("copy-data", StringComparison.Ordinal)), Is.EqualTo(1));
        Assert.That(server.Store.Files.Keys, Is.EqualTo(new[] { "/a" }));
    }

    [Test]
    public async Task Published_by_a_second_name_a_file_replaces_nothing_at_a_server_whose_rename_would()
    {
        var server = new FakeServer(new FakeStore { RenameReplaces = true })
        { Extensions = [SftpExtension.HardLink, SftpExtension.PosixRename] };
        await using var session = await server.OpenAsync();
        var fresh = await session.RunAsync(SftpHarness.Upload("/new", [1, 2], replace: false));
        Assert.That(fresh.Outcome, Is.InstanceOf<WorkOutcome.Done>());

        // It appears behind the look.
        server.Instead = request =>
        {
            if (request.Extension == SftpExtension.HardLink) server.Store.Files["/late"] = [9];
            return null;
        };
        var late = await session.RunAsync(SftpHarness.Upload("/late", [3], replace: false));
        Assert.That(late.Error().Error, Is.EqualTo(TransferError.Exists));
        Assert.That(server.Store.Files["/late"], Is.EqualTo(new byte[] { 9 }));
        Assert.That(server.Store.Files.Keys, Is.EquivalentTo(new[] { "/new", "/late" }));
    }

    [Test]
    public async Task Files_that_are_moved_together_replace_nothing_at_a_server_whose_rename_would()
    {
        var server = new FakeServer(new FakeStore { RenameReplaces = true }) { Extensions = [SftpExtension.HardLink] };
        server.Store.Files["/part/a"] = [1];
        server.Store.Files["/part/late"] = [2];
        await using var session = await server.OpenAsync();

        // It appears behind the look.
        server.Instead = request =>
        {
            if (request.Extension == SftpExtension.HardLink) server.Store.Files["/late"] = [9];
            return null;
        };
        var errors = await session.RenameFilesAsync([Staged("/part/a", "/a"), Staged("/part/late", "/late")], CancellationToken.None);
        Assert.That(errors.Select(e => e?.Error), Is.EqualTo(new TransferError?[] { null, TransferError.Exists }));
        Assert.That(server.Store.Files["/late"], Is.EqualTo(new byte[] { 9 }));
        Assert.That(server.Store.Files.Keys, Is.EquivalentTo(new[] { "/a", "/late" }));
    }

    [TestCase(false)]
    [TestCase(true)]
    public async Task Out_of_another_folder_an_old_file_is_moved_aside_only_when_the_new_one_is_beside_it(bool elsewhere)
    {
        var server = new FakeServer { Extensions = [] };
        server.Store.Directories.Add("/tmp");
        server.Store.Files["/a"] = [9];
        server.Instead =
            request => elsewhere && request.Type == SftpPacketType.Rename ? FakeReply.Status(request.Id, SftpStatus.Failure) : null;
        await using var session = await server.OpenAsync();
        var item = await session.RunAsync(FromElsewhere("/a", replace: true));
        Assert.That(server.Store.Files.Keys, Is.EqualTo(new[] { "/a" }));
        Assert.That(server.Store.Files["/a"].Single(), Is.EqualTo(elsewhere ? 9 : 1));
        Assert.That(server.Requests.Exists(line => line.StartsWith("Rename /a ", StringComparison.Ordinal)), Is.EqualTo(!elsewhere));
        if (elsewhere)
            Assert.That(item.Outcome, Is.InstanceOf<WorkOutcome.Failed>().With.Property(nameof(WorkOutcome.Failed.Publishing)).True);
        else Assert.That(item.Outcome, Is.InstanceOf<WorkOutcome.Done>());
    }

    [Test]
    public async Task Out_of_another_file_system_nothing_is_learned_of_second_names()
    {
        var server = new FakeServer { Extensions = [SftpExtension.HardLink] };
        server.Store.Directories.Add("/tmp");
        server.Instead = request =>
            (request.Type == SftpPacketType.Rename || request.Extension == SftpExtension.HardLink) && request.Text.StartsWith("/tmp/",
            StringComparison.Ordinal)
            ? FakeReply.Status(request.Id, SftpStatus.Failure) : null;
        await using var session = await server.OpenAsync();
        Assert.That((await session.RunAsync(FromElsewhere("/a", replace: false))).Outcome, Is.InstanceOf<WorkOutcome.Failed>());
        await session.RunAsync(SftpHarness.Upload("/b", [1], replace: false));
        Assert.That(server.Store.Files.Keys, Is.EqualTo(new[] { "/b" }));
        Assert.That(server.Requests.Count(line => line.StartsWith(SftpExtension.HardLink, StringComparison.Ordinal)), Is.EqualTo(2));
    }

    [Test]
    public async Task Where_files_have_one_name_only_they_are_renamed_after_all()
    {
        var server = new FakeServer
        {
            Extensions = [SftpExtension.HardLink],
            Instead =
                request => request.Extension == SftpExtension.HardLink ? FakeReply.Status(request.Id, SftpStatus.PermissionDenied) : null,
        };
        await using var session = await server.OpenAsync();
        await session.RunAsync(SftpHarness.Upload("/a", [1], replace: false));
        await session.RunAsync(SftpHarness.Upload("/b", [1], replace: false));
        Assert.That(server.Store.Files.Keys, Is.EquivalentTo(new[] { "/a", "/b" }));
        Assert.That(server.Requests.Count(line => line.StartsWith(SftpExtension.HardLink, StringComparison.Ordinal)), Is.EqualTo(1));
    }

    [Test]
    public async Task OpenSSH_renames_safely_and_is_not_asked_for_second_names()
    {
        var server = new FakeServer { Extensions = [SftpExtension.HardLink] };
        await using var session = await server.OpenAsync(software: "SSH-2.0-OpenSSH_9.2p1");
        await session.RunAsync(SftpHarness.Upload("/a", [1], replace: false));
        Assert.That(server.Requests, Has.None.StartsWith(SftpExtension.HardLink));
        Assert.That(server.Store.Files.Keys, Is.EqualTo(new[] { "/a" }));
    }

    [Test]
    public async Task Folders_of_other_users_are_asked_for_once()
    {
        var server = new FakeServer { Extensions = [SftpExtension.ExpandPath] };
        server.Store.Directories.UnionWith(["/home/alice", "/~bob"]);
        server.Store.Files["/~bob/x"] = [4];
        await using var session = await server.OpenAsync();
        await session.RunAsync(SftpHarness.Upload("/~alice/x", [1, 2, 3]));
        Assert.That(server.Store.Files["/home/alice/x"], Is.EqualTo(new byte[] { 1, 2, 3 }));
        Assert.That(await session.GetEntryAsync("/~alice/x", CancellationToken.None),
            Has.Property("Length").EqualTo(3).And.Property("Path").EqualTo("/~alice/x"));
        Assert.That((await session.GetEntryAsync("/~alice", CancellationToken.None))!.Type, Is.EqualTo(RemoteEntryType.Directory));
        Assert.That((await session.CreateDirectoriesAsync(["/~alice/d"], CancellationToken.None)).Single().Created);
        Assert.That(server.Requests.Count(line => line.StartsWith(SftpExtension.ExpandPath, StringComparison.Ordinal)), Is.EqualTo(1));

        // Nobody of that name: then it is a name as others are.
        Assert.That(await session.GetEntryAsync("/~bob/x", CancellationToken.None), Has.Property("Length").EqualTo(1));
        Assert.That(await session.GetEntryAsync("/~/x", CancellationToken.None), Is.Null);
    }

    [Test]
    public async Task Where_users_are_not_expanded_a_tilde_is_a_letter()
    {
        var server = new FakeServer();
        server.Store.Directories.Add("/~alice");
        server.Store.Files["/~alice/x"] = [4];
        await using var session = await server.OpenAsync();
        Assert.That(await session.GetEntryAsync("/~alice/x", CancellationToken.None), Has.Property("Length").EqualTo(1));
    }

    [Test]
    public async Task Owners_are_asked_for_once_a_session_and_those_without_a_name_keep_their_numbers([Values] bool refused)
    {
        var server = new FakeServer { Extensions = [SftpExtension.UsersGroups] };
        server.Store.Files["/a"] = [];
        server.Instead = request => request.Extension != SftpExtension.UsersGroups ? null
            : refused ? FakeReply.Status(request.Id, SftpStatus.Failure)
            : FakeReply.Packet(SftpPacketType.ExtendedReply, request.Id,
                fields => Transfer.Sftp.Ssh.Wire.SshWriter.WriteString(fields, (byte[])[0, 0, 0, 0]));
        await using var session = await server.OpenAsync();
        for (var i = 0; i < 2; i++)
        {
            server.Store.Listings.Remove("/");
            await foreach (var entry in session.ListAsync("/", new ListingReport(), CancellationToken.None))
                Assert.That(entry.Owner, Is.EqualTo("1000"));
        }
        Assert.That(server.Requests.Count(line => line.StartsWith(SftpExtension.UsersGroups, StringComparison.Ordinal)), Is.EqualTo(1));
    }

    [TestCase("SSH-2.0-OpenSSH_9.2p1 Debian-2", true, true, true)]
    [TestCase("SSH-2.0-OpenSSH_for_Windows_9.5", true, true, true)]
    [TestCase("SSH-2.0-mod_sftp/0.9.9", true, false, true)]
    [TestCase("SSH-2.0-AzureSSH_1.0.0", false, false, false)]
    [TestCase("SSH-1.99-AzureSSH", false, false, false)]
    [TestCase("SSH-2.0-NotOpenSSH", true, false, false)]
    [TestCase("SSH-2.0-", true, false, false)]
    [TestCase("", true, false, false)]
    [TestCase(null, true, false, false)]
    public void Servers_are_known_by_their_names(string? banner, bool writesAnywhere, bool renamesSafely, bool confirms) =>
        Assert.That((ServerSoftware.WritesAtOffset(banner), ServerSoftware.RenamesSafely(banner), ServerSoftware.ConfirmsChanges(banner)),
            Is.EqualTo((writesAnywhere, renamesSafely, confirms)));

    [Test]
    public async Task A_server_that_only_appends_gets_whole_files_in_order_and_no_parts()
    {
        var server = new FakeServer();
        long next = 0;
        server.Instead = request =>
        {
            if (request.Type != SftpPacketType.Write) return null;
            if (request.Offset != next) return FakeReply.Status(request.Id, SftpStatus.Failure, "out of order");
            next += request.Length;
            return null;
        };
        await using var session = await server.OpenAsync(software: "SSH-2.0-AzureSSH_1.0.0");
        Assert.That(session.Features.SegmentedUploads, Is.False);
        var content = SftpHarness.Bytes(3_000_000);
        var whole = await session.RunAsync(SftpHarness.Upload("/a", content));
        Assert.That(whole.Outcome, Is.InstanceOf<WorkOutcome.Done>());
        Same.Bytes(server.Store.Files["/a"], content);

        var before = server.RequestCount;
        var part =
            await session.RunAsync(new TestItem(WorkKind.Upload, "/a", new TestContent(content)) { Offset = 1_000_000, Replace = true });
        Assert.That((part.Error().Error, server.RequestCount), Is.EqualTo((TransferError.Unsupported, before)));
        Assert.That(part.Error().Message, Does.Contain("from their start only").And.Contain("1000000"));
    }

    private static TestItem FromElsewhere(string path, bool replace) =>
        new(WorkKind.Upload, path, new TestContent([1])) { TemporaryPath = "/tmp/.transfer-1.part", Replace = replace };

    private static Renaming Staged(string from, string to) => new(from, to) { IsTemporary = true };

    private static (FakeServer Server, byte[] Content) Copier(int length)
    {
        var server = new FakeServer { Extensions = [SftpExtension.CopyData, SftpExtension.PosixRename] };
        server.Store.Files["/a"] = SftpHarness.Bytes(length);
        return (server, server.Store.Files["/a"]);
    }
}
