using Transfer.Batch.Archive.Delta;
using Transfer.Batch.Archive.Format;
using Transfer.Batch.Carriers;
using Transfer.Batch.Sealing;

namespace Transfer.Batch.Archive.Unpacking;

/// <summary>Unpacks a job into a folder, and owns the helpers of the job until its end.</summary>
internal sealed class FolderSink : IJobSink
{
    private readonly FolderUnpacker _unpacker;
    private readonly ProgressReporter _progress;

    /// <param name="folder">The folder.</param>
    /// <param name="options">How to unpack.</param>
    /// <param name="keys">The keys that open the archives; belong to the caller.</param>
    /// <param name="tellsBases">Whether the sender receives the hashes of files that may be replaced, so as to send differences
    /// only.</param>
    /// <param name="progress">Receives the progress, until this object is disposed of.</param>
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

    public ValueTask<ArchiveReceipt> ReceiveAsync(long index, Stream archive, CancellationToken ct) =>
        _unpacker.ReceiveAsync(index, archive, ct);

    public void Forget(long index) => _unpacker.Forget(index);

    // Incomplete files are in the tally, and the sender knows them as those never confirmed.
    public async ValueTask FinishAsync(IReadOnlyList<LostArchive> lost, CancellationToken ct)
    {
        await _unpacker.CompleteAsync(ct).ConfigureAwait(false);
        _unpacker.FailLost(lost);
    }

    public async ValueTask DisposeAsync()
    {
        await _unpacker.DisposeAsync().ConfigureAwait(false);
        await _progress.DisposeAsync().ConfigureAwait(false);
    }
}
