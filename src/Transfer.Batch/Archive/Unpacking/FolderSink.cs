using Transfer.Batch.Archive.Delta;
using Transfer.Batch.Archive.Format;
using Transfer.Batch.Carriers;
using Transfer.Batch.Sealing;

namespace Transfer.Batch.Archive.Unpacking;

/// <summary>Unpacks a job into a folder, and owns the helpers of the job until its end.</summary>
internal sealed class FolderSink : IJobSink
{
    private readonly string _folder;
    private readonly BatchUnpackOptions _options;
    private readonly KeyRing _keys;
    private readonly Func<TransferJobContext, Action<Exception>, ProgressReporter> _report;
    private FolderUnpacker? _unpacker;
    private ProgressReporter? _progress;

    /// <param name="folder">The folder.</param>
    /// <param name="options">How to unpack.</param>
    /// <param name="keys">The keys that open the archives; belong to the caller.</param>
    /// <param name="tellsBases">Whether the sender receives the hashes of files that may be replaced, so as to send differences
    /// only.</param>
    /// <param name="report">Creates the reporter of the job's progress, with the receiver of a handler's exception.</param>
    public FolderSink(string folder, BatchUnpackOptions options, KeyRing keys, bool tellsBases,
        Func<TransferJobContext, Action<Exception>, ProgressReporter> report)
    {
        Bases = tellsBases ? FolderBases.Of(LocalPath.Full(folder), options.Overwrite) : null;
        Buffers = options.Buffers;
        (_folder, _options, _keys, _report) = (folder, options, keys, report);
    }

    public IBaseFiles? Bases { get; }

    public ByteBudget Buffers { get; }

    public JobTally Tally => Unpacker.Tally;

    private FolderUnpacker Unpacker => _unpacker ?? throw new InvalidOperationException("The job has not begun.");

    public void Begin(TransferJobContext job, Action<Exception> onFault)
    {
        _progress = _report(job, onFault);
        _unpacker = new FolderUnpacker(_folder, _options with { Progress = _progress, Items = job.Items }, _keys);
    }

    public ValueTask<ArchiveReceipt> ReceiveAsync(long index, Stream archive, CancellationToken ct) =>
        Unpacker.ReceiveAsync(index, archive, ct);

    public void Forget(long index) => Unpacker.Forget(index);

    // Incomplete files are in the tally, and the sender knows them as those never confirmed.
    public async ValueTask FinishAsync(IReadOnlyList<LostArchive> lost, CancellationToken ct)
    {
        await Unpacker.CompleteAsync(ct).ConfigureAwait(false);
        Unpacker.FailLost(lost);
    }

    public async ValueTask DisposeAsync()
    {
        if (_unpacker is not null) await _unpacker.DisposeAsync().ConfigureAwait(false);
        if (_progress is not null) await _progress.DisposeAsync().ConfigureAwait(false);
    }
}
