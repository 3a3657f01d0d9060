using Transfer.Batch.Archive.Delta;
using Transfer.Batch.Archive.Format;
using Transfer.Batch.Carriers;
using Transfer.Batch.Sealing;

namespace Transfer.Batch.Archive.Unpacking;

/// <summary>Unpacks a job into a folder, and keeps what that needs as long as the job lasts.</summary>
internal sealed class FolderSink : IJobSink
{
    private readonly FolderUnpacker _unpacker;
    private readonly ProgressReporter _progress;

    /// <param name="folder">The folder.</param>
    /// <param name="options">How.</param>
    /// <param name="keys">Opens the archives; belongs to the caller.</param>
    /// <param name="tellsBases">Its sender is told the hashes of files that he may replace, and sends of them what has changed.</param>
    /// <param name="progress">Told of what arrives, until this is disposed of.</param>
    public FolderSink(string folder, BatchUnpackOptions options, KeyRing keys, bool tellsBases, ProgressReporter progress)
    {
        Bases = tellsBases ? FolderBases.Of(LocalPath.Full(folder), options.Overwrite) : null;
        Buffers = options.Buffers;
        _progress = progress;
        _unpacker = new FolderUnpacker(folder, options with { Progress = progress }, keys);
    }

    public IBaseFiles? Bases { get; }

    public ByteBudget Buffers { get; }

    public JobTally Tally => _unpacker.Tally;

    public ValueTask<ArchiveReceipt> ReceiveAsync(long index, Stream archive, CancellationToken ct) => _unpacker.ReceiveAsync(index, archive, ct);

    public void Forget(long index) => _unpacker.Forget(index);

    // What did not come whole is in the tally, and the sender knows it by what was never confirmed to it.
    public async ValueTask FinishAsync(IReadOnlyList<LostArchive> lost, CancellationToken ct)
    {
        await _unpacker.CompleteAsync(ct).ConfigureAwait(false);
        _unpacker.Lose(lost);
    }

    public async ValueTask DisposeAsync()
    {
        await _unpacker.DisposeAsync().ConfigureAwait(false);
        await _progress.DisposeAsync().ConfigureAwait(false);
    }
}
