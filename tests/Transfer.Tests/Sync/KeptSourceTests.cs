using Transfer.Tests.Engine;

namespace Transfer.Tests.Sync;

/// <summary>Sources of files that the target has already, in jobs that remove or move their sources.</summary>
public sealed class KeptSourceTests : MemoryFixture
{
    private static SyncOptions Removing => new() { RemoveSource = true };

    [Test]
    public async Task A_local_source_goes_when_the_copy_is_there_and_nothing_is_sent()
    {
        Both("d/a");
        var result = await UpAsync(Removing);
        Assert.That((result.Files, result.Unchanged, result.Failed, result.ReadBack), Is.EqualTo((0L, 1L, 0L, 0L)));
        Assert.That((Local.Files, Store.Files), Is.EqualTo((Array.Empty<string>(), new[] { "/t/d/a" })));
    }

    [Test]
    public async Task A_servers_source_goes_to_the_archive()
    {
        Both("d/a");
        var result = await Client.SynchronizeAsync(
            Local.Path, "/t", SyncDirection.Down, new SyncOptions { MoveSourceTo = "/done" }).Soon();
        Assert.That((result.Unchanged, result.Failed), Is.EqualTo((1L, 0L)));
        Assert.That((Local.Files, Store.Files), Is.EqualTo((new[] { "d/a" }, new[] { "/done/d/a" })));
    }

    // A file of equal length, and of a time that proves nothing, may be another one.
    [TestCase(SyncComparison.Size, VerificationMode.Size, true)]
    [TestCase(SyncComparison.Time, VerificationMode.Hash, true)]
    [TestCase(SyncComparison.Time, VerificationMode.Size, false)]
    public async Task A_file_that_only_looks_like_the_copy_is_sent(SyncComparison compare, VerificationMode verify, bool keepsTimes)
    {
        var store = new MemoryStore { KeepsTimes = keepsTimes };
        await using var client = new MemoryTransferClient(store);
        var there = keepsTimes ? Samples.Time : DateTimeOffset.UtcNow.AddDays(1);
        foreach (var (name, content) in (ReadOnlySpan<(string, byte)>)[("same", 1), ("other", 2)])
        {
            Local.Add(name, [1], Samples.Time);
            store.AddFile("/t/" + name, [content], there);
        }
        var result = await client.SynchronizeAsync(
            Local.Path, "/t", SyncDirection.Up, Removing with { Compare = compare, Verify = verify }).Soon();
        Assert.That((result.Files, result.Unchanged, result.Failed), Is.EqualTo((1L, 1L, 0L)));
        Assert.That(Local.Files, Is.Empty);
        Assert.That(store["/t/other"]!.Content, Is.EqualTo(new byte[] { 1 }));
    }

    [Test]
    public async Task Times_in_minutes_prove_nothing()
    {
        var store = new MemoryStore { Precision = TimeSpan.FromMinutes(1) };
        await using var client = new MemoryTransferClient(store);
        Local.Add("other", [1], Samples.Time);
        store.AddFile("/t/other", [2], Samples.Time);
        var result = await client.SynchronizeAsync(Local.Path, "/t", SyncDirection.Up, Removing).Soon();
        Assert.That((result.Files, result.Failed), Is.EqualTo((1L, 0L)));
        Assert.That((Local.Files, store["/t/other"]!.Content), Is.EqualTo((Array.Empty<string>(), new byte[] { 1 })));
    }

    [Test]
    public async Task A_source_whose_copy_cannot_be_read_stays_and_fails()
    {
        Both("a");
        Store.Faults.On("download", Fault.Refusal(TransferError.Denied));
        var result = await UpAsync(Removing with { Verify = VerificationMode.Hash });
        Assert.That((result.Files, result.Failures.Single().Error!.Error), Is.EqualTo((0L, TransferError.Denied)));
        Assert.That(Local.Files, Is.EqualTo(new[] { "a" }));
    }

    [Test]
    public async Task A_target_that_refuses_the_proof_of_two_folders_leaves_the_source()
    {
        Both("a");
        Store.Faults.On("upload", Fault.Refusal(TransferError.Denied));
        var result = await UpAsync(Removing);
        Assert.That((result.Unchanged, result.Failed), Is.EqualTo((1L, 0L)));
        Assert.That((Local.Files, Store.Files), Is.EqualTo((new[] { "a" }, new[] { "/t/a" })));
    }

    [Test]
    public async Task A_folder_is_not_moved_to_itself()
    {
        Store.AddFile("/t/a", [1], Samples.Time);
        await using var other = new MemoryTransferClient(Store);
        Assert.That(async () => await Client.SynchronizeAsync("/t", other, "/t", Removing).Soon(),
            Throws.InstanceOf<TransferException>().With.Property(nameof(TransferException.Error)).EqualTo(TransferError.Denied));
        Assert.That(Store.Files, Is.EqualTo(new[] { "/t/a" }));
    }

    [Test]
    public async Task One_session_is_enough()
    {
        for (var i = 0; i < 20; i++) Both($"d{i % 3}/f{i}");
        await using var client = new MemoryTransferClient(Store, new() { MaxSessions = 1 });
        var result = await client.SynchronizeAsync(Local.Path, "/t", SyncDirection.Down, Removing).Soon();
        Assert.That((result.Unchanged, result.Failed, Store.Files.Count), Is.EqualTo((20L, 0L, 0)));
    }

    [Test]
    public async Task A_dry_run_leaves_sources()
    {
        Both("a");
        await UpAsync(Removing with { DryRun = true });
        Assert.That((Local.Files, Store.Files), Is.EqualTo((new[] { "a" }, new[] { "/t/a" })));
    }

    private Task<JobResult> UpAsync(SyncOptions options) => Client.SynchronizeAsync(Local.Path, "/t", SyncDirection.Up, options).Soon();

    private void Both(string name)
    {
        Local.Add(name, [1], Samples.Time);
        Store.AddFile("/t/" + name, [1], Samples.Time);
    }
}
