using System.Collections.Concurrent;
using System.Security.Cryptography;
using Transfer.Batch.Archive.Format;
using Transfer.Batch.Carriers;

namespace Transfer.TestSupport.Batch;

/// <summary>Keeps the archives of a job in memory.</summary>
internal sealed class MemorySink : IJobSink
{
    public ConcurrentDictionary<long, byte[]> Archives { get; } = [];

    public JobTally Tally { get; } = new();

    public bool IsFinished { get; private set; }

    public bool IsDisposed { get; private set; }

    /// <summary>Called when an archive begins to come.</summary>
    public Func<long, CancellationToken, Task> OnBegin { get; set; } = (_, _) => Task.CompletedTask;

    /// <summary>Called when an archive has come.</summary>
    public Func<long, CancellationToken, Task> OnEnd { get; set; } = (_, _) => Task.CompletedTask;

    public Func<long, IReadOnlyList<ArchiveFailure>> Failures { get; set; } = _ => [];

    public void Begin(TransferJobContext job, Action<Exception> onFault)
    {
    }

    public async ValueTask<ArchiveReceipt> ReceiveAsync(long index, Stream archive, CancellationToken ct)
    {
        await OnBegin(index, ct);
        using var bytes = new MemoryStream();
        await archive.CopyToAsync(bytes, ct);
        await OnEnd(index, ct);
        var content = bytes.ToArray();
        if (!Archives.TryAdd(index, content)) throw new InvalidOperationException($"Archive {index} came twice.");
        Tally.Done(ItemAction.Transfer, new TransferResult { Bytes = content.Length });
        return new ArchiveReceipt(index, SHA256.HashData(content), 1, Failures(index)) { Skipped = index == 1 ? ["left/as-it-was"] : [] };
    }

    /// <summary>Asked whether the job can be finished.</summary>
    public Func<Exception?> Unfinished { get; set; } = () => null;

    public ValueTask FinishAsync(IReadOnlyList<LostArchive> lost, CancellationToken ct)
    {
        if (Unfinished() is { } error) throw error;
        foreach (var archive in lost) Tally.Failed(new ItemResult { Path = $"archive {archive.Index}", Error = archive.Error });
        IsFinished = true;
        return default;
    }

    public ValueTask DisposeAsync()
    {
        IsDisposed = true;
        return default;
    }
}
