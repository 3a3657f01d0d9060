namespace Transfer.Tests.Engine;

/// <summary>Files that a killed run has moved aside, in runs that change nothing.</summary>
public sealed class DryAsideTests : MemoryFixture
{
    private const string Aside = "a.transfer-00000000000000ff-1.old";

    private readonly TransferClientOptions _swift = new() { TimeProvider = new SwiftTime() };

    [Test]
    public async Task A_dry_run_renames_nothing_at_the_target([Values("upload", "download", "copy", "synchronize")] string job)
    {
        var options = new DirectoryOptions { DryRun = true, Overwrite = OverwriteMode.Newer };
        Store.AddFile("/t/" + Aside, [1], Samples.Time);
        Store.AddFile("/s/b", [1], Samples.Time);
        Local.Add("s/b", [1], Samples.Time);
        Local.Add("t/" + Aside, [1], Samples.Time);
        await using var client = new MemoryTransferClient(Store, _swift);
        var result = await (job switch
        {
            "upload" => client.UploadDirectoryAsync(Local["s"], "/t", options),
            "download" => client.DownloadDirectoryAsync("/s", Local["t"], options),
            "copy" => client.CopyDirectoryAsync("/s", client, "/t", options),
            _ => client.SynchronizeAsync(Local["s"], "/t", SyncDirection.Up, new SyncOptions { DryRun = true, Delete = true }),
        }).Soon();
        Assert.That((result.Files, result.Failed), Is.EqualTo((1L, 0L)));
        Assert.That(Store.Files, Is.EqualTo(new[] { "/s/b", "/t/" + Aside }));
        Assert.That(Local.Files, Is.EqualTo(new[] { "s/b", "t/" + Aside }));
    }

    // A real run moves the file back first, and then compares or deletes it.
    [Test]
    public async Task A_dry_run_plans_for_the_name_that_the_file_will_have([Values] bool isAtSource)
    {
        Store.AddFile("/t/d/" + Aside, [1], Samples.Time);
        Local.Add("d/b", [1], Samples.Time);
        if (isAtSource) Local.Add("d/a", [1], Samples.Time);
        await using var client = new MemoryTransferClient(Store, _swift);
        var options = new SyncOptions { DryRun = true, Delete = true, Compare = SyncComparison.Hash };
        var result = await client.SynchronizeAsync(Local.Path, "/t", SyncDirection.Up, options).Soon();
        Assert.That((result.Files, result.Unchanged, result.Deleted, result.Failed), Is.EqualTo((1L, isAtSource ? 1L : 0L,
            isAtSource ? 0L : 1L, 0L)));
        Assert.That(Store.Files, Is.EqualTo(new[] { "/t/d/" + Aside }));
    }

    [Test]
    public async Task A_comparison_renames_nothing()
    {
        Store.AddFile("/t/" + Aside, [1], Samples.Time);
        Local.Add("a", [1], Samples.Time);
        await using var client = new MemoryTransferClient(Store, _swift);
        var found = new List<(string, ComparisonOutcome)>();
        await foreach (var item in client.CompareAsync(Local.Path, "/t", options: new() { Compare = SyncComparison.Hash }))
            found.Add((item.Path, item.Outcome));
        Assert.That(found, Is.EqualTo(new[] { ("a", ComparisonOutcome.Same) }));
        Assert.That(Store.Files, Is.EqualTo(new[] { "/t/" + Aside }));
    }
}
