using Transfer.Ftp;
using Transfer.Testing;
using Transfer.TestSupport.Ftp;

namespace Transfer.Tests.Ftp.Session;

/// <summary>Deletions at servers whose listings show links to folders as folders: nothing is deleted behind one.</summary>
[Platform(Exclude = "Win", Reason = "Links need a right there.")]
public sealed class LinkDeletionTests
{
    private TempFolder _there = null!;
    private TempFolder _local = null!;

    private static SyncOptions Delete => new() { Delete = true };

    // Files that nothing may touch.
    private int Precious => new[] { "other/precious", "other/deep/precious" }.Count(path => File.Exists(_there[path]));

    [SetUp]
    public void SetUp()
    {
        (_there, _local) = (new TempFolder(), new TempFolder());
        _there.Add("other/precious", [1]);
        _there.Add("other/deep/precious", [2]);
        _there.Add("t/file", [3]);
        _there.Add("t/sub/deep/file", [4]);
        _there.Add("t/.hidden/deep/file", [5]);
        Link("t/outside", "../other");
        Link("t/itself", ".");
        Link("t/sub/above", "..");
        Link("t/like sub", "sub");
        Link("t/to file", "file");
    }

    [TearDown]
    public void TearDown()
    {
        _there.Dispose();
        _local.Dispose();
    }

    [Test]
    public async Task A_folder_is_deleted_with_its_links_and_nothing_that_they_lead_to([Values] bool mlsd,
        [Values(FtpLinkListing.Everywhere, FtpLinkListing.ListOnly)] FtpLinkListing links)
    {
        await using var ftp = await StartAsync(links, mlsd ? [] : ["MLSD", "MLST"]);
        Assert.That(await ftp.Client.DeleteAsync("/t", recursive: true), Is.True);
        Assert.That(Precious, Is.EqualTo(2));
        Assert.That(Path.Exists(_there["t"]), Is.False);
    }

    // The path in front of .. is that of the folder itself, whose identity shows no link to a folder above.
    [TestCase("/t/../t")]
    [TestCase("/t/sub/../../t")]
    public async Task A_folder_is_deleted_under_a_name_that_leads_through_the_folder(string name)
    {
        OddServer? server = null;
        server = new OddServer
        {
            Features = ["EPSV", "UTF8", "MLST type*;unique*;", "MLSD"],
            Read = static path => path.StartsWith('/') ? RemotePath.ByNames(path) : path,
            Reply = (verb, path) => verb == "MLST" && server!.Folders.ContainsKey(path)
                ? $"250-\r\n type=dir;unique={path}; {path}\r\n250 end" : null,
            Lines = (verb, folder) => verb != "MLSD" ? null : string.Concat(server!.Entries(folder).Select(entry =>
                $"type={(entry.Content is null ? "dir" : "file")};unique={entry.Path}; {RemotePath.GetName(entry.Path)}\r\n")),
        };
        await using var owned = server;
        server.Folders["/t"] = server.Folders["/t/sub"] = true;
        server.Files["/t/sub/a"] = [1];
        await using var client = new FtpTransferClient(server.Uri, FtpHarness.Options);
        Assert.That(await client.DeleteAsync(name, recursive: true), Is.True);
        Assert.That((server.Folders.Keys, server.Files.Count), Is.EqualTo((new[] { "/" }, 0)));
    }

    [Test]
    public async Task Links_to_nothing_that_MLSD_leaves_out_do_not_keep_their_folder([Values] bool sync)
    {
        Link("t/sub/deep/nowhere", "gone");
        Link("t/.hidden/deep/.nowhere", "gone");
        _local.Add("new", [9]);
        await using var ftp = await StartAsync(FtpLinkListing.ListOnly, []);
        if (sync) Assert.That((await ftp.Client.SynchronizeAsync(_local.Path, "/t", SyncDirection.Up, Delete)).Failed, Is.Zero);
        else Assert.That(await ftp.Client.DeleteAsync("/t", recursive: true), Is.True);
        Assert.That(Path.Exists(_there["t"]) && Directory.GetDirectories(_there["t"]).Length > 0, Is.False);
        Assert.That(Precious, Is.EqualTo(2));
    }

    [Test]
    public async Task Without_recursion_a_folder_with_a_link_that_MLSD_leaves_out_is_not_empty()
    {
        Directory.CreateDirectory(_there["e"]);
        Link("e/nowhere", "gone");
        await using var ftp = await StartAsync(FtpLinkListing.ListOnly, []);
        await FtpHarness.FailsAsync(() => ftp.Client.DeleteAsync("/e").AsTask());
        Assert.That(new FileInfo(_there["e/nowhere"]).LinkTarget, Is.EqualTo("gone"));
    }

    [Test]
    public async Task Of_a_link_the_link_is_deleted([Values] bool recursive, [Values] bool mlsd)
    {
        Link("link", "other");
        await using var ftp = await StartAsync(FtpLinkListing.ListOnly, mlsd ? [] : ["MLSD", "MLST"]);
        Assert.That(await ftp.Client.DeleteAsync("/link", recursive), Is.True);
        Assert.That(File.Exists(_there["other/precious"]), Is.True);
        Assert.That(new FileInfo(_there["link"]).LinkTarget, Is.Null);
    }

    [Test]
    public async Task Where_nothing_tells_links_are_deleted_and_folders_stay_and_are_named()
    {
        await using var ftp = await StartAsync(FtpLinkListing.ListOnly, ["LIST"]);
        var error = await FtpHarness.FailsAsync(() => ftp.Client.DeleteAsync("/t", recursive: true).AsTask());
        Assert.That((error.Error, error.RemotePath), Is.EqualTo((TransferError.Unsupported, "/t")));
        Assert.That(File.Exists(_there["t/sub/deep/file"]) && File.Exists(_there["t/file"]), Is.True);
        Assert.That(await ftp.Client.DeleteAsync("/t/outside", recursive: true), Is.True);
        Assert.That(File.Exists(_there["other/precious"]), Is.True);
    }

    [Test]
    public async Task A_synchronisation_where_nothing_tells_names_the_folders_that_stay()
    {
        _local.Add("new", [9]);
        await using var ftp = await StartAsync(FtpLinkListing.ListOnly, ["LIST"]);
        var result = await ftp.Client.SynchronizeAsync(_local.Path, "/t", SyncDirection.Up, Delete);
        Assert.That(result.Failures.Select(item => item.Path), Is.EquivalentTo(new[] { "sub", ".hidden" }));
        Assert.That(result.Failures.Select(item => item.Error!.Error), Is.All.EqualTo(TransferError.Unsupported));
        foreach (var link in new[] { "outside", "itself", "like sub", "to file", "file" })
            Assert.That(Path.Exists(_there["t/" + link]), Is.False, link);
        Assert.That(File.Exists(_there["other/precious"]) && File.Exists(_there["t/sub/deep/file"]), Is.True);
    }

    [Test]
    public async Task A_synchronisation_deletes_links_and_nothing_behind_them([Values] bool mlsd, [Values] bool dry)
    {
        _local.Add("new", [9]);
        await using var ftp = await StartAsync(FtpLinkListing.ListOnly, mlsd ? [] : ["MLSD", "MLST"]);
        var result = await ftp.Client.SynchronizeAsync(_local.Path, "/t", SyncDirection.Up, Delete with { DryRun = dry });
        Assert.That((result.Failed, result.Deleted), Is.EqualTo((0L, 3L + 5L + 4L))); // files, links, folders
        Assert.That(Precious, Is.EqualTo(2));
        if (!dry) Assert.That(Directory.GetFileSystemEntries(_there["t"]).Select(Path.GetFileName), Is.EqualTo(new[] { "new" }));
    }

    [Test]
    public async Task Nothing_is_deleted_behind_a_link_that_the_source_has_as_a_folder()
    {
        _local.Add("outside/new", [9]);
        await using var ftp = await StartAsync(FtpLinkListing.ListOnly, []);
        var result = await ftp.Client.SynchronizeAsync(_local.Path, "/t", SyncDirection.Up, Delete);
        Assert.That(result.Failed, Is.Zero);
        Assert.That(Precious, Is.EqualTo(2));
    }

    [Test]
    public async Task What_is_deleted_of_a_folder_that_the_source_has_too_is_deleted_once_that_is_proved()
    {
        _local.Add("sub/new", [9]);
        await using var ftp = await StartAsync(FtpLinkListing.ListOnly, []);
        var result = await ftp.Client.SynchronizeAsync(_local.Path, "/t", SyncDirection.Up, Delete);
        Assert.That(result.Failed, Is.Zero);
        Assert.That(Directory.GetFileSystemEntries(_there["t/sub"]).Select(Path.GetFileName), Is.EqualTo(new[] { "new" }));
        Assert.That(Precious, Is.EqualTo(2));
    }

    [Test]
    public async Task Folders_of_a_server_with_listings_of_another_form_are_deleted()
    {
        foreach (var link in new[] { "t/outside", "t/itself", "t/sub/above", "t/like sub", "t/to file" }) File.Delete(_there[link]);
        await using var ftp = await StartAsync(FtpLinkListing.Everywhere, ["MLSD", "MLST"], FtpListingStyle.Windows);
        Assert.That(await ftp.Client.DeleteAsync("/t", recursive: true), Is.True);
        Assert.That(Path.Exists(_there["t"]), Is.False);
    }

    private async Task<Running> StartAsync(FtpLinkListing links, string[] without, FtpListingStyle style = FtpListingStyle.Unix)
    {
        var server = await FtpTestServer.StartAsync(new FtpTestServerOptions
        {
            Store = new DirectoryStore(_there.Path),
            LinkListing = links,
            ListingStyle = style,
            DisabledCommands = new HashSet<string>(without, StringComparer.Ordinal),
        });
        return new(server, new FtpTransferClient(server.Uri, FtpHarness.Options));
    }

    private void Link(string path, string target) => File.CreateSymbolicLink(_there[path], target);

    private sealed record Running(FtpTestServer Server, FtpTransferClient Client) : IAsyncDisposable
    {
        public async ValueTask DisposeAsync()
        {
            await Client.DisposeAsync();
            await Server.DisposeAsync();
        }
    }
}
