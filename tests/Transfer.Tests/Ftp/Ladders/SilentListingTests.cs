using Transfer.Ftp;
using Transfer.Ftp.Session;
using Transfer.TestSupport.Ftp;
using Transfer.Tests.Ftp.Session;

namespace Transfer.Tests.Ftp.Ladders;

/// <summary>
/// An MLSD that shows nothing, not even the folder itself, may be that of an empty folder, or of a name that the server cannot read: LIST
/// in that folder decides.
/// </summary>
[Parallelizable(ParallelScope.All)]
[Category(Categories.Slow)]
public sealed class SilentListingTests
{
    private const string Own = "type=cdir;perm=el; .\r\n";

    private static FtpOptions Options { get; } = new()
    {
        MaxSessions = 1,
        IdleTimeout = TimeSpan.FromSeconds(5),
        Retry = Samples.SoonAgain
    };

    [Test]
    public async Task A_folder_of_which_MLSD_shows_nothing_is_listed_by_the_next_command([Values] bool inFolder, [Values] bool shows)
    {
        OddServer? server = null;
        await using var owned = server = new OddServer
        {
            Features = ["EPSV", "SIZE", "MDTM", "MLST type*;size*;modify*;", "MLSD"],
            // With a path only, or also in the folder.
            Lines = (verb, path) => verb != "MLSD" ? null
                : path.Contains(' ', StringComparison.Ordinal) && (!inFolder || server!.Commands[^1] != "MLSD") ? ""
                : shows ? Own + server!.List(path, machine: true) : null,
        };
        server.Folders["/d"] = true;
        server.Folders["/d/a b"] = true;
        server.Files["/d/a b/c"] = [1, 2];
        server.Files["/d/x"] = [3];
        await using var client = new FtpTransferClient(server.Uri, Options);
        using var local = new TempFolder();
        local.Add("a b/c", [1, 2]);
        local.Add("a b/old", [9]);
        var result = await client.SynchronizeAsync(local.Path, "/d", SyncDirection.Down, new() { Delete = true });
        Assert.That((result.Failed, result.Deleted), Is.EqualTo((0L, 1L)));
        Assert.That(local.Files, Is.EqualTo(new[] { "a b/c", "x" }));
        Assert.That(FtpHostState.For(server.Uri.Host, server.Uri.Port).Rungs.ToString(),
            inFolder ? Does.Not.Contain("a5") : Does.Contain("a5=2"));
        Assert.That(await client.ListAsync("/d/a b").Select(entry => entry.Name).ToListAsync(), Is.EqualTo(new[] { "c" }));
        Assert.That(server.Connections, Is.EqualTo(1));
    }

    // The lines of MLSD and LIST for an empty folder, MLST's facts, whether there is proof, and how often LIST is sent.
    [TestCase("", "", "", false, 1)]
    [TestCase("", "", "perm=cm;", false, 1)]
    [TestCase("", "", "perm=el;", true, 1)]
    [TestCase("", "total 0\r\n", "", true, 1)]
    [TestCase("", "drwxr-xr-x 1 u g 0 Jan  2  2024 .\r\n", "", true, 1)]
    [TestCase(Own, "", "", true, 0)]
    public async Task Nothing_is_deleted_for_a_listing_that_shows_nothing_without_proof(
        string mlsd, string list, string facts, bool isProved, int lists)
    {
        await using var server = new OddServer
        {
            Features = ["EPSV", "SIZE", "MDTM", "MLST type*;size*;modify*;perm*;", "MLSD"],
            Lines = (verb, path) => path != "/d/empty" ? null : verb == "MLSD" ? mlsd : list,
            Reply = (verb, path) => verb == "MLST" && path.Length == 0 ? $"250-\r\n type=dir;{facts} /d/empty\r\n250 end" : null,
        };
        server.Folders["/d"] = true;
        server.Folders["/d/empty"] = true;
        server.Files["/d/a"] = [1];
        await using var client = new FtpTransferClient(server.Uri, Options);
        using var local = new TempFolder();
        local.Add("a", [1]);
        local.Add("empty/x", [1]);
        var result = await client.SynchronizeAsync(local.Path, "/d", SyncDirection.Down, new() { Delete = true });
        Assert.That((result.Failed, result.Deleted, result.NotDeleted), Is.EqualTo((0L, isProved ? 1L : 0L, isProved ? 0L : 1L)));
        Assert.That(File.Exists(local["empty/x"]), Is.Not.EqualTo(isProved));
        Assert.That(server.Count("LIST"), Is.EqualTo(lists));
        Assert.That(FtpHostState.For(server.Uri.Host, server.Uri.Port).Rungs.ToString(), Is.Empty);
    }

    [TestCase("LIST", "550 Permission denied", TransferError.Denied)]
    [TestCase("LIST", "553 not for you", TransferError.Denied)]
    [TestCase("CWD", "550 no such folder", TransferError.Denied)]
    [TestCase("CWD", "550 no such folder", TransferError.NotFound)]
    public async Task A_folder_that_is_refused_behind_an_MLSD_that_shows_nothing_is_an_error(string verb, string reply, TransferError error)
    {
        await using var server = new OddServer
        {
            Features = ["EPSV", "MLSD"],
            Lines = (_, _) => "",
            Reply = (sent, _) => sent == verb ? reply : null,
        };
        // A look at it tells the two apart.
        if (error == TransferError.Denied) server.Folders["/d"] = true;
        await using var client = new FtpTransferClient(server.Uri, Options);
        var failure = await FtpHarness.FailsAsync(async () => await client.ListAsync("/d").CountAsync());
        Assert.That(failure.Error, Is.EqualTo(error), failure.Message);
    }

    [TestCase("LIST", "502 no such command")]
    [TestCase("LIST", "550 No files found")]
    [TestCase("CWD", "500 what?")]
    public async Task A_folder_that_no_other_command_shows_is_empty_without_proof(string verb, string reply)
    {
        await using var server = new OddServer
        {
            Features = ["EPSV", "SIZE", "MLSD"],
            Lines = (_, path) => path == "/d" ? "" : null,
            Reply = (sent, _) => sent == verb ? reply : null,
        };
        server.Folders["/d"] = true;
        await using var client = new FtpTransferClient(server.Uri, Options);
        using var local = new TempFolder();
        local.Add("d/x", [1]);
        var result = await client.SynchronizeAsync(local.Path, "/", SyncDirection.Down, new() { Delete = true });
        Assert.That((result.Failed, result.Deleted, result.NotDeleted), Is.EqualTo((0L, 0L, 1L)));
        Assert.That(await client.ListAsync("/d").CountAsync(), Is.Zero);
    }

    [Test]
    public async Task A_server_that_ends_each_session_at_MLSD_is_listed_by_LIST([Values] bool deletes)
    {
        await using var server = new OddServer { Features = ["EPSV", "SIZE", "MLST type*;size*;modify*;", "MLSD"], EndsAt = "MLSD" };
        server.Folders["/d"] = true;
        server.Files["/d/a"] = [1];
        await using (var client = new FtpTransferClient(server.Uri, Options))
        {
            if (deletes) await client.DeleteAsync("/d", recursive: true);
            else Assert.That(await client.ListAsync("/d").Select(entry => entry.Name).ToListAsync(), Is.EqualTo(new[] { "a" }));
        }
        Assert.That(server.Folders.ContainsKey("/d"), Is.Not.EqualTo(deletes));
        Assert.That(server.Count("MLSD"), Is.EqualTo(2));
        Assert.That(FtpHostState.For(server.Uri.Host, server.Uri.Port).Rungs.ToString(), Does.Contain("a5=2"));
    }

    [Test]
    public async Task A_session_that_ends_once_at_MLSD_says_nothing_of_the_server()
    {
        var sent = 0;
        await using var server = new OddServer
        {
            Features = ["EPSV", "SIZE", "MLSD"],
            Reply = (verb, _) => verb == "MLSD" && Interlocked.Increment(ref sent) == 1 ? throw new IOException("The session ends.") : null,
        };
        server.Folders["/d"] = true;
        server.Files["/d/a"] = [1];
        await using var client = new FtpTransferClient(server.Uri, Options);
        Assert.That(await client.ListAsync("/d").CountAsync(), Is.EqualTo(1));
        Assert.That((sent, server.Count("LIST")), Is.EqualTo((2, 0)));
        Assert.That(FtpHostState.For(server.Uri.Host, server.Uri.Port).Rungs.ToString(), Does.Not.Contain("a5"));
    }

    [Test]
    public async Task A_folder_whose_MLSD_is_refused_for_a_moment_again_and_again_is_deleted_by_LIST()
    {
        await using var server = new OddServer
        {
            Features = ["EPSV", "SIZE", "MLST type*;size*;modify*;", "MLSD"],
            Reply = (verb, _) => verb == "MLSD" ? "451 busy" : null,
        };
        server.Folders["/d"] = true;
        server.Files["/d/a"] = [1];
        await using var client = new FtpTransferClient(server.Uri, Options);
        await client.DeleteAsync("/d", recursive: true);
        Assert.That((server.Folders.ContainsKey("/d"), server.Files.Count), Is.EqualTo((false, 0)));
    }

    [Test]
    public async Task A_forced_MLSD_that_shows_nothing_proves_nothing()
    {
        await using var server = new OddServer { Features = ["EPSV", "MLSD"], Lines = (_, path) => path == "/d" ? "" : null };
        server.Folders["/d"] = true;
        server.Files["/d/a"] = [1];
        await using var client = new FtpTransferClient(
            server.Uri, Options with { Compatibility = new() { List = FtpListCommand.Mlsd } });
        using var local = new TempFolder();
        local.Add("d/x", [1]);
        var result = await client.SynchronizeAsync(local.Path, "/", SyncDirection.Down, new() { Delete = true });
        Assert.That((result.Failed, result.Deleted, result.NotDeleted), Is.EqualTo((0L, 0L, 1L)));
        Assert.That(server.Count("LIST"), Is.Zero);
    }
}
