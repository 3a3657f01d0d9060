using Transfer.Ftp;
using Transfer.Testing;

namespace Transfer.Tests.Ftp.Session;

/// <summary>
/// Links that lead in a circle, at servers that list links to directories as directories: no walk through them is endless.
/// </summary>
[FixtureLifeCycle(LifeCycle.InstancePerTestCase)]
[Platform(Exclude = "Win", Reason = "Links need a right there.")]
[Category(Categories.Slow)]
public sealed class LinkLoopTests : IDisposable
{
    private readonly TempFolder _there = new();
    private readonly TempFolder _local = new();

    public LinkLoopTests()
    {
        _there.Add("t/file", [1]);
        _there.Add("t/sub/other", [2]);
        // Two ways back at each level: more than 2^n paths of n steps.
        File.CreateSymbolicLink(_there["t/itself"], ".");
        File.CreateSymbolicLink(_there["t/sub/above"], "..");
    }

    public void Dispose()
    {
        _there.Dispose();
        _local.Dispose();
    }

    [Test]
    public async Task A_recursive_listing_ends_with_an_error_that_names_a_folder(
        [Values(FtpLinkListing.ListOnly, FtpLinkListing.Nowhere)] FtpLinkListing links)
    {
        await using var ftp = await StartAsync(links);
        var paths = new List<string>();
        var error = await FtpHarness.FailsAsync(async () =>
        {
            await foreach (var entry in ftp.Client.ListAsync("/t", new() { Recursive = true })) paths.Add(entry.Path);
        });
        Assert.That(error.Error, Is.EqualTo(TransferError.Partial));
        Assert.That(error.Message, Does.Contain("lead in a circle").And.Contain("/t/"));
        Assert.That(paths, Does.Contain("/t/file").And.Contain("/t/sub/other").And.Contain("/t/sub/above"));
        Assert.That(paths, Has.Count.LessThan(15_000));
    }

    [Test]
    public async Task A_download_skips_links_that_are_proved()
    {
        await using var ftp = await StartAsync(FtpLinkListing.ListOnly);
        var result = await ftp.Client.DownloadDirectoryAsync("/t", _local.Path);
        Assert.That((result.Files, result.Failed, result.Skipped), Is.EqualTo((2L, 0L, 2L)));
        Assert.That(File.Exists(_local["sub/other"]));
    }

    [Test]
    public async Task A_download_without_proofs_ends_with_errors()
    {
        await using var ftp = await StartAsync(FtpLinkListing.Nowhere);
        var result = await ftp.Client.DownloadDirectoryAsync("/t", _local.Path);
        Assert.That(result.Files, Is.GreaterThan(1).And.LessThan(5000));
        Assert.That(result.Failed, Is.GreaterThan(0).And.LessThan(5000));
        Assert.That(result.Failures.Select(failure => failure.Error!.Message), Has.All.Contains("lead in a circle"));
    }

    [Test]
    public async Task What_a_copy_has_under_the_name_of_such_a_link_is_not_deleted(
        [Values(FtpLinkListing.ListOnly, FtpLinkListing.Nowhere)] FtpLinkListing links)
    {
        await using var ftp = await StartAsync(links);
        AddCopy();
        await ftp.Client.SynchronizeAsync(_local.Path, "/t", SyncDirection.Down, new() { Delete = true });
        AssertKept(path => File.Exists(_local[path]));
    }

    [Test]
    public async Task What_a_server_has_under_the_name_of_such_a_link_is_not_deleted(
        [Values(FtpLinkListing.ListOnly, FtpLinkListing.Nowhere)] FtpLinkListing links)
    {
        await using var ftp = await StartAsync(links);
        AddCopy();
        await using var target = await StartAsync(FtpLinkListing.Everywhere, _local);
        await ftp.Client.SynchronizeAsync("/t", target.Client, "/", new() { Delete = true });
        AssertKept(path => File.Exists(_local[path]));
    }

    [Test]
    public async Task A_comparison_calls_nothing_under_the_name_of_such_a_link_extra()
    {
        await using var ftp = await StartAsync(FtpLinkListing.Nowhere);
        AddCopy();
        var extra = new List<string>();
        await foreach (var item in ftp.Client.CompareAsync(_local.Path, "/t", SyncDirection.Down))
        {
            if (item.Outcome == ComparisonOutcome.Extra) extra.Add(item.Path);
        }
        Assert.That(extra, Is.EquivalentTo(new[] { "extra", "sub/extra" }));
    }

    private void AddCopy()
    {
        foreach (var path in new[] { "itself/kept", "itself/sub/kept", "sub/above/kept", "extra", "sub/extra" }) _local.Add(path, [3]);
    }

    private static void AssertKept(Func<string, bool> exists) => Assert.That(
        (exists("itself/kept"), exists("itself/sub/kept"), exists("sub/above/kept"), exists("extra"), exists("sub/extra")),
        Is.EqualTo((true, true, true, false, false)));

    [Test]
    public async Task Directories_that_look_alike_are_no_links()
    {
        await using var ftp = await FtpHarness.StartAsync();
        var time = new DateTimeOffset(2024, 1, 2, 3, 4, 5, TimeSpan.Zero);
        foreach (var path in Paths("/t", 7)) await AddAsync(path);
        var found = 0;
        await foreach (var entry in ftp.Client.ListAsync("/t", new() { Recursive = true }))
            found += entry.Type == RemoteEntryType.File ? 1 : 0;
        Assert.That(found, Is.EqualTo(255));
        var result = await ftp.Client.DownloadDirectoryAsync("/t", _local.Path);
        Assert.That((result.Files, result.Failed), Is.EqualTo((255L, 0L)));

        async Task AddAsync(string path)
        {
            ftp.Store.AddFile($"{path}/file", [1]);
            await ftp.Store.SetModifiedAsync($"{path}/file", time);
            if (path != "/t") await ftp.Store.SetModifiedAsync(path, time);
        }

        static IEnumerable<string> Paths(string top, int depth) =>
            depth == 0 ? [top] : Paths($"{top}/a", depth - 1).Concat(Paths($"{top}/b", depth - 1)).Prepend(top);
    }

    private async Task<Running> StartAsync(FtpLinkListing links, TempFolder? folder = null)
    {
        var server = await FtpTestServer.StartAsync(new FtpTestServerOptions
        {
            Store = new DirectoryStore((folder ?? _there).Path),
            LinkListing = links,
        });
        return new(server, new FtpTransferClient(server.Uri, FtpHarness.Options));
    }

    private sealed record Running(FtpTestServer Server, FtpTransferClient Client) : IAsyncDisposable
    {
        public async ValueTask DisposeAsync()
        {
            await Client.DisposeAsync();
            await Server.DisposeAsync();
        }
    }
}
