using Transfer.Diagnostics;
using Transfer.Sessions;

namespace Transfer.Engine.Files;

/// <summary>A remote file, or a part of one, fetched only for comparison: an item, and its own source, for a session's run.</summary>
internal abstract class ReadBack : WorkItem, IWorkSource
{
    private readonly ServerMeter _meter;
    private WorkOutcome? _outcome;
    private bool _taken;

    protected ReadBack(string path, IContent content, ServerMeter meter)
        : base(WorkKind.Download, path, content)
    {
        _meter = meter;
        Verify = VerificationMode.Reply;
    }

    public ValueTask<int> TakeAsync(Memory<WorkItem> into, CancellationToken stop)
    {
        if (_taken || stop.IsCancellationRequested) return new(0);
        _taken = true;
        into.Span[0] = this;
        return new(1);
    }

    public override void Report(long bytes) => _meter.Moved(Kind, bytes);

    public override void Complete(WorkOutcome outcome) => _outcome = outcome;

    /// <summary>Fetches the file.</summary>
    /// <exception cref="TransferException">The file could not be read.</exception>
    protected async ValueTask FetchAsync(TransferSession session, CancellationToken ct)
    {
        await session.RunAsync(this, ct).ConfigureAwait(false);
        switch (_outcome)
        {
            case WorkOutcome.Done:
                return;
            case WorkOutcome.Failed failed:
                throw failed.Error;
            case WorkOutcome.InDoubt doubt:
                throw doubt.Error;
            default:
                throw new TransferConnectionException(TransferError.Lost, $"{Path}: the session did not begin with the file.");
        }
    }
}
