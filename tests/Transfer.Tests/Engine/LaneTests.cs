namespace Transfer.Tests.Engine;

public sealed class LaneTests
{
    [Test]
    public async Task Each_session_that_moves_something_tells_what()
    {
        var store = new MemoryStore();
        for (var i = 0; i < 3; i++) store.AddFile($"/f{i}", Samples.Bytes(10_000 * (i + 1), i));
        await using var client = new MemoryTransferClient(store, new() { MaxSessions = 3 });
        using var second = new Barrier();
        var downloads = Enumerable.Range(0, 3).Select(i => client.StartDownload($"/f{i}", new Barrier(second))).ToArray();
        await Eventually.TrueAsync(() => downloads.All(job => job.Sessions.Count == 1));
        // One buffer was written by each, and is reported when the second begins.
        var lanes = downloads.Select(job => job.Sessions.Single()).ToArray();
        Assert.That(lanes.Select(lane => lane.Number), Is.EquivalentTo(new[] { 1, 2, 3 }));
        Assert.That(lanes.Select(lane => lane.Path), Is.EqualTo(new[] { "/f0", "/f1", "/f2" }), "each job has its own");
        foreach (var lane in lanes)
        {
            Assert.That((lane.Bytes, lane.Moved, lane.Files, lane.TotalBytes),
                Is.EqualTo((4096L, 4096L, 1, (long?)store[lane.Path]!.Content.Length)));
        }

        second.Open();
        await Task.WhenAll(downloads.Select(job => job.Completion)).Soon();
        Assert.That(downloads.SelectMany(job => job.Sessions), Is.Empty);
    }

    // A stream that takes one buffer, and the next when it is told to.
    private sealed class Barrier(Barrier? gate = null) : MemoryStream
    {
        private readonly TaskCompletionSource _opened = new(TaskCreationOptions.RunContinuationsAsynchronously);

        public void Open() => _opened.SetResult();

        public override async ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default)
        {
            if (Length > 0 && gate is not null) await gate._opened.Task;
            await base.WriteAsync(buffer, cancellationToken);
        }
    }
}
