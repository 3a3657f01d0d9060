using Transfer.Tests.Engine;

namespace Transfer.Tests.Sync;

/// <summary>
/// Folders of the source that are one at the target. The first is kept and the other refused: what the target has of the other is not
/// extra to the first, so that nothing in the folder is deleted.
/// </summary>
[TestFixture]
public sealed class TwinFolderTests
{
    private static readonly SyncOptions Delete = new() { Delete = true, DeleteForEmptySource = true };

    // Whichever of the two is listed first.
    [TestCase("D", "d")]
    [TestCase("d", "D")]
    [TestCase("caf\u00e9", "cafe\u0301")]
    public async Task A_refused_folders_files_stay_at_the_target(string one, string other)
    {
        var (source, target) = (new MemoryStore(), new MemoryStore(ignoresCase: true, ignoresForms: true));
        source.AddFile($"/{one}/a", [1], Samples.Time);
        source.AddFile($"/{other}/b", [2], Samples.Time);
        source.AddFile($"/{other}/below/c", [3], Samples.Time);
        foreach (var path in new[] { "a", "b", "below/c", "extra" }) target.AddFile($"/{other}/{path}", [9, 9], Samples.Time.AddDays(-1));
        target.AddFile("/extra", [9]);
        var result = await SynchronizeAsync(source, target, Delete);
        Assert.That(result.Deleted, Is.EqualTo(1), "what is extra beside the folders is deleted");
        Assert.That(result.Failures.Select(failure => failure.Error!.Error), Is.All.EqualTo(TransferError.Exists));
        Assert.That(Names(target, other), Is.EquivalentTo(new[] { "a", "b", "c", "extra" }));
    }

    [Test]
    public async Task Below_a_kept_folder_nothing_is_extra_either()
    {
        var (source, target) = (new MemoryStore(), new MemoryStore(ignoresCase: true));
        source.AddDirectory("/D/D");
        source.AddFile("/D/d/a", [], Samples.Time);
        source.AddFile("/d/a", [], Samples.Time);
        target.AddFile("/d/d/a", [1, 2, 3], Samples.Time);
        var result = await SynchronizeAsync(source, target, Delete);
        Assert.That((result.Deleted, target["/d/d/a"]?.Length), Is.EqualTo((0L, (long?)3)));
    }

    [TestCase(false)]
    [TestCase(true)]
    public async Task A_dry_run_says_as_much(bool ignoresCase)
    {
        var (source, target) = (new MemoryStore(), new MemoryStore(ignoresCase));
        source.AddFile("/D/a", [1], Samples.Time);
        source.AddFile("/d/b", [2], Samples.Time);
        target.AddFile("/d/a", [1], Samples.Time);
        target.AddFile("/d/b", [2], Samples.Time);
        var dry = await SynchronizeAsync(source, target, Delete with { DryRun = true });
        var real = await SynchronizeAsync(source, target, Delete);
        Assert.That((dry.Deleted, real.Deleted), Is.EqualTo(ignoresCase ? (0L, 0L) : (1L, 1L)));
    }

    [TestCase(false)]
    [TestCase(true)]
    public async Task An_entry_that_the_server_lists_in_another_case_is_compared(bool ignoresCase)
    {
        var (source, target) = (new MemoryStore(), new MemoryStore(ignoresCase));
        source.AddFile("/README", [1], Samples.Time);
        source.AddFile("/Docs/Guide", [2], Samples.Time);
        source.AddFile("/Docs/guide", [2, 2], Samples.Time);
        target.AddFile("/readme", [1], Samples.Time);
        target.AddFile("/docs/guide", [2], Samples.Time);
        var result = await SynchronizeAsync(source, target, Delete);
        Assert.That((result.Files, result.Unchanged, result.Deleted, result.Failed),
            Is.EqualTo(ignoresCase ? (0L, 2L, 0L, 1L) : (3L, 0L, 3L, 0L)), "the first of the two guides is the one that is kept");
    }

    private static IEnumerable<string> Names(MemoryStore store, string folder) =>
        store.Files.Where(path => store[path] is not null && path.StartsWith($"/{folder}/", StringComparison.OrdinalIgnoreCase))
            .Select(RemotePath.GetName);

    private static async Task<JobResult> SynchronizeAsync(MemoryStore source, MemoryStore target, SyncOptions options)
    {
        await using var from = new MemoryTransferClient(source);
        await using var to = new MemoryTransferClient(target, endpoint: "memory://target/");
        return await from.SynchronizeAsync("/", to, "/", options).Soon();
    }
}
