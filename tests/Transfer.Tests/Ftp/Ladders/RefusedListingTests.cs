using Transfer.Ftp;
using Transfer.Ftp.Session;
using Transfer.Sessions;
using Transfer.TestSupport.Ftp;
using Transfer.Tests.Ftp.Session;

namespace Transfer.Tests.Ftp.Ladders;

/// <summary>
/// Some servers refuse to list a folder that is empty, with the codes of absence. The folder counts as empty where CWD enters it, and
/// nothing is deleted for that.
/// </summary>
[Category(Categories.Slow)]
public sealed class RefusedListingTests
{
    private static FtpOptions Options { get; } = new()
    {
        MaxSessions = 1,
        IdleTimeout = TimeSpan.FromSeconds(5),
        Retry = Samples.SoonAgain
    };

    private static readonly string[] Plain = ["EPSV", "SIZE", "MDTM"];
    private static readonly string[] Machine = [.. Plain, "MLST type*;size*;modify*;", "MLSD"];

    // The features, the commands that are refused for an empty folder, and the reply.
    private static readonly TestCaseData[] Servers =
    [
        new(Plain, "LIST NLST", "550 nothing here"),
        new(Plain, "LIST NLST", "450 No files found"),
        new(Plain, "LIST NLST", "550 No data sets found."),
        new(Plain, "LIST", "550 no such file or directory"),
        new(Plain, "LIST NLST", "451 nothing to list"),
        new(Machine, "MLSD LIST NLST", "550 nothing here"),
        new(Machine, "MLSD LIST", "450 nothing here"),
        new(Machine, "MLSD", "550 nothing here"),
    ];

    [TestCaseSource(nameof(Servers))]
    public async Task A_folder_whose_listing_is_refused_is_empty_without_proof(string[] features, string verbs, string reply)
    {
        await using var server = Start(features, verbs, reply);
        await using var client = new FtpTransferClient(server.Uri, Options);
        Assert.That(await client.ListAsync("/d/empty").CountAsync(), Is.Zero);
        Assert.That(await client.ListAsync("/d").Select(entry => entry.Name).ToListAsync(), Is.EquivalentTo(new[] { "a", "empty" }));
        Assert.That(FtpHostState.For(server.Uri.Host, server.Uri.Port).Rungs.ToString(), Does.Not.Contain("a5="),
            "one folder says nothing of the others");
        var absent = await FtpHarness.FailsAsync(async () => await client.ListAsync("/none").CountAsync());
        Assert.That(absent.Error, Is.EqualTo(TransferError.NotFound));
        Assert.That(server.Connections, Is.EqualTo(1));
    }

    [TestCaseSource(nameof(Servers))]
    public async Task A_tree_with_such_a_folder_is_fetched_and_sent(string[] features, string verbs, string reply)
    {
        await using var server = Start(features, verbs, reply);
        await using var client = new FtpTransferClient(server.Uri, Options);
        using var local = new TempFolder();
        var down = await client.DownloadDirectoryAsync("/d", local.Path);
        Assert.That((down.Files, down.Failed, Directory.Exists(local["empty"])), Is.EqualTo((1L, 0L, true)));
        var up = await client.SynchronizeAsync(local.Path, "/d/empty", SyncDirection.Up);
        Assert.That((up.Files, up.Failed), Is.EqualTo((1L, 0L)));
        Assert.That(server.Files.Keys, Does.Contain("/d/empty/a"));
    }

    [TestCaseSource(nameof(Servers))]
    public async Task Nothing_is_deleted_because_a_listing_was_refused(string[] features, string verbs, string reply)
    {
        await using var server = Start(features, verbs, reply);
        await using var client = new FtpTransferClient(server.Uri, Options);
        using var local = new TempFolder();
        local.Add("a", [1]);
        local.Add("empty/kept", [1]);
        foreach (var accepts in new[] { false, true })
        {
            var options = new SyncOptions { Delete = true, DeleteForEmptySource = accepts };
            var result = await client.SynchronizeAsync(local.Path, "/d", SyncDirection.Down, options);
            Assert.That((result.Failed, result.Deleted, result.NotDeleted), Is.EqualTo((0L, 0L, 1L)));
            result = await client.SynchronizeAsync(local["empty"], "/d/empty", SyncDirection.Down, options);
            Assert.That((result.Failed, result.Deleted), Is.EqualTo((0L, 0L)));
        }
        Assert.That(File.Exists(local["empty/kept"]), Is.True);
    }

    [Test]
    public async Task A_folder_that_may_not_be_entered_is_denied_and_a_file_is_named([Values] bool isMachine)
    {
        await using var server = new OddServer
        {
            Features = isMachine ? Machine : Plain,
            Reply = (verb, path) => verb is "CWD" or "MLSD" && path.Contains("closed", StringComparison.Ordinal) ? "550 no" : null,
        };
        server.Folders["/d"] = server.Folders["/d/closed"] = true;
        server.Files["/d/file"] = [1];
        await using var client = new FtpTransferClient(server.Uri, Options);
        var denied = await FtpHarness.FailsAsync(async () => await client.ListAsync("/d/closed").CountAsync());
        Assert.That(denied.Error, Is.EqualTo(TransferError.Denied), denied.ToString());
        Assert.That(denied.Message, Does.Contain("may not be entered"));
        var below = await FtpHarness.FailsAsync(async () => await client.ListAsync("/d/closed/deep/down").CountAsync());
        Assert.That(below.Error, Is.EqualTo(TransferError.NotFound), "nothing is known of it");
        var file = await FtpHarness.FailsAsync(async () => await client.ListAsync("/d/file").CountAsync());
        Assert.That(file.Message, Does.Contain("is a file, and no folder"));
        var absent = await FtpHarness.FailsAsync(async () => await client.ListAsync("/d/none").CountAsync());
        Assert.That((absent.Error, server.Connections), Is.EqualTo((TransferError.NotFound, 1)));
    }

    [Test]
    public async Task A_folder_that_is_made_between_its_refusal_and_the_look_is_listed([Values] bool isMachine)
    {
        OddServer? server = null;
        server = new OddServer
        {
            Features = isMachine ? Machine : Plain,
            Reply = (verb, path) =>
            {
                if (verb != (isMachine ? "MLSD" : "CWD") || !path.EndsWith("/made", StringComparison.Ordinal)) return null;
                if (!server!.Folders.TryAdd("/d/made", true)) return null;
                server.Files["/d/made/a"] = [1];
                return "550 no such folder";
            },
        };
        await using var owned = server;
        server.Folders["/d"] = true;
        server.Files["/d/b"] = [1];
        await using var client = new FtpTransferClient(server.Uri, Options);
        Assert.That(await client.ListAsync("/d").CountAsync(), Is.EqualTo(1), "MLSD works here");
        Assert.That(await client.ListAsync("/d/made").Select(entry => entry.Name).ToListAsync(), Is.EqualTo(new[] { "a" }));
        Assert.That(server.Connections, Is.EqualTo(1));
    }

    [Test]
    public async Task An_entry_of_a_folder_that_is_made_behind_its_refusals_is_looked_for_once_more([Values] bool isThere)
    {
        OddServer? server = null;
        var refusals = 0;
        server = new OddServer
        {
            Features = Plain,
            Reply = (verb, path) =>
            {
                if (verb != "CWD" || !path.EndsWith("/made", StringComparison.Ordinal)) return null;
                // The listing's own, and that of the look behind that.
                if (refusals++ < 2) return "550 no such folder";
                server!.Folders["/d/made"] = true;
                if (isThere) server.Files["/d/made/a"] = [1];
                return null;
            },
        };
        await using var owned = server;
        server.Folders["/d"] = true;
        await using var client = new FtpTransferClient(server.Uri, Options);
        Assert.That((await client.GetEntryAsync("/d/made/a"))?.Length, Is.EqualTo(isThere ? 1 : null));
        Assert.That(server.Connections, Is.EqualTo(1));
    }

    [TestCase("550 Permission denied")]
    [TestCase("550 d/empty: Zugriff verweigert")]
    [TestCase("450 can't open directory")]
    [TestCase("553 no")]
    public async Task A_refusal_for_another_reason_is_an_error(string reply)
    {
        await using var server = Start(Plain, "LIST NLST", reply);
        await using var client = new FtpTransferClient(server.Uri, Options);
        await FtpHarness.FailsAsync(async () => await client.ListAsync("/d/empty").CountAsync());
    }

    [TestCase("LIST", "226 Transfer complete")]
    [TestCase("MLSD", "226 Transfer complete")]
    [TestCase("LIST", "250 No files found")]
    public async Task A_listing_that_ends_without_its_data_connection_is_empty_without_proof(string verb, string reply)
    {
        await using var server = Start(verb == "MLSD" ? Machine : Plain, verb, reply);
        await using var client = new FtpTransferClient(server.Uri, Options with { IdleTimeout = TimeSpan.FromMinutes(5) });
        Assert.That(await client.ListAsync("/d/empty").CountAsync().Soon(), Is.Zero);
        Assert.That(await client.ListAsync("/d").CountAsync().Soon(), Is.EqualTo(2));
        Assert.That(server.Connections, Is.EqualTo(1));
        using var local = new TempFolder();
        local.Add("empty/x", [1]);
        await client.SynchronizeAsync(local.Path, "/d", SyncDirection.Down, new SyncOptions { Delete = true }).Soon();
        Assert.That(File.Exists(local["empty/x"]), "nothing is deleted for an empty listing without proof");
    }

    [Test]
    public async Task A_listing_that_a_known_server_refuses_is_an_error()
    {
        await using var server = Start(Plain, "LIST NLST", "550 nothing here", "220 (vsFTPd 3.0.5)");
        await using var client = new FtpTransferClient(server.Uri, Options);
        await FtpHarness.FailsAsync(async () => await client.ListAsync("/d/empty").CountAsync());
    }

    [Test]
    public async Task A_file_in_a_folder_that_is_not_listed_is_not_written_over()
    {
        // SIZE and MDTM refuse what is there.
        await using var server = new OddServer { Reply = (verb, _) => verb is "LIST" or "NLST" or "SIZE" or "MDTM" ? "550 no" : null };
        server.Folders["/d"] = true;
        server.Files["/d/a"] = [1];
        await using var client = new FtpTransferClient(server.Uri, Options);
        using var content = new MemoryStream([2, 3]);
        var error = await FtpHarness.FailsAsync(
            () => client.UploadAsync(content, "/d/a", new UploadOptions { Overwrite = OverwriteMode.Skip }));
        Assert.That(error.Message, Does.Contain("/d/a"));
        Assert.That(server.Files["/d/a"], Is.EqualTo(new byte[] { 1 }));
    }

    [TestCase("550 nothing here", "550 no such name", true)]
    [TestCase("450 nothing here", "550 no such name", true)]
    [TestCase("550 nothing here", "550 no access", false)]
    public async Task The_first_file_of_such_a_folder_is_sent_where_MLST_describes_folders(string listing, string look, bool isSent)
    {
        OddServer? server = null;
        await using var owned = server = new OddServer
        {
            Features = Machine,
            Reply = (verb, path) => verb is "MLSD" or "LIST" or "NLST" && server!.IsEmpty("/d") ? listing
                : verb == "MLST" && path == "/d/n" && !server!.Files.ContainsKey(path) ? look : null,
        };
        server.Folders["/d"] = true;
        await using var client = new FtpTransferClient(server.Uri, Options);
        using var content = new MemoryStream([2, 3]);
        Task SendAsync() => client.UploadAsync(content, "/d/n", new UploadOptions { Overwrite = OverwriteMode.Fail });
        if (isSent) await SendAsync();
        else await FtpHarness.FailsAsync(SendAsync);
        Assert.That(server.Files.ContainsKey("/d/n"), Is.EqualTo(isSent));
    }

    [Test]
    public async Task Files_are_sent_into_such_a_folder_that_the_job_has_made()
    {
        await using var server = Start(Plain, "LIST NLST", "550 nothing here");
        server.Folders.TryRemove("/d/empty", out _);
        await using var client = new FtpTransferClient(server.Uri, Options);
        using var local = new TempFolder();
        local.Add("n", [1]);
        var up = await client.UploadDirectoryAsync(local.Path, "/d/empty", new() { Overwrite = OverwriteMode.Skip });
        Assert.That((up.Files, up.Failed, server.Files.ContainsKey("/d/empty/n")), Is.EqualTo((1L, 0L, true)));
    }

    [TestCase(true)]
    [TestCase(false)]
    public async Task A_tree_is_deleted_where_the_server_removes_its_folders(bool removes)
    {
        await using var server = Start(Plain, "LIST NLST", "550 nothing here", removes: removes);
        await using var client = new FtpTransferClient(server.Uri, Options);
        if (removes) await client.DeleteAsync("/d", recursive: true);
        else await FtpHarness.FailsAsync(() => client.DeleteAsync("/d", recursive: true).AsTask());
        Assert.That(server.Folders.ContainsKey("/d/empty"), Is.EqualTo(!removes));
    }

    [Test]
    public async Task Names_are_described_one_by_one_where_only_NLST_lists()
    {
        await using var server = new OddServer { Reply = (verb, _) => verb == "LIST" ? "502 no" : null };
        server.Folders["/d"] = true;
        server.Folders["/d/sub"] = true;
        server.Files["/d/a"] = [1, 2];
        await using var client = new FtpTransferClient(server.Uri, Options);
        var entries = await client.ListAsync("/d").OrderBy(entry => entry.Name).ToListAsync();
        Assert.That(entries.Select(entry => (entry.Name, entry.Type, entry.Length)),
            Is.EqualTo(new[] { ("a", RemoteEntryType.File, (long?)2), ("sub", RemoteEntryType.Directory, null) }));
        Assert.That(entries[0].Modified, Is.Not.Null);
    }

    [Test]
    public void A_refused_listing_proves_less_than_an_empty_one()
    {
        var report = new ListingReport();
        report.DoubtEmptiness();
        report.DoubtRefusal();
        Assert.That(report.Verdict, Is.EqualTo(ListingVerdict.EmptyRefused));
    }

    private static OddServer Start(string[] features, string verbs, string reply, string greeting = "220 ready", bool removes = true)
    {
        OddServer? server = null;
        server = new OddServer
        {
            Features = features,
            Greeting = greeting,
            Reply = (verb, path) => verb == "RMD" && !removes ? "550 not empty"
                : verbs.Split(' ').Contains(verb) && (path.StartsWith('/') ? path : server!.Entered) is "/d/empty"
                    && server!.IsEmpty("/d/empty")
                ? reply : null,
        };
        server.Folders["/d"] = true;
        server.Folders["/d/empty"] = true;
        server.Files["/d/a"] = [1, 2, 3];
        return server;
    }
}
