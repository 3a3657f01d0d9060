using Transfer.Diagnostics;
using Transfer.Engine.Flow;
using Transfer.Sessions;

namespace Transfer.Engine;

/// <summary>A remote file being fetched for its hash only: an item, and the source of it, for one run of a session.</summary>
internal sealed class ReadBack : WorkItem, IWorkSource, IDisposable
{
    private readonly HashedContent _content;
    private WorkOutcome? _outcome;
    private bool _taken;

    public ReadBack(string path, long length, string algorithm, ContentFlow? flow)
        : this(path, Sink(new NoContent(length), algorithm, flow))
    {
    }

    private ReadBack(string path, HashedContent content)
        : base(WorkKind.Download, path, content)
    {
        _content = content;
        Verify = Verification.Reply;
    }

    /// <summary>Fetches it.</summary>
    /// <exception cref="TransferException">It could not be read.</exception>
    public async ValueTask<ContentHash> RunAsync(TransferSession session, CancellationToken ct)
    {
        await session.RunAsync(this, ct).ConfigureAwait(false);
        return _outcome switch
        {
            WorkOutcome.Done => _content.Finish(),
            WorkOutcome.Failed failed => throw failed.Error,
            WorkOutcome.InDoubt doubt => throw doubt.Error,
            _ => throw new TransferConnectionException(TransferError.Lost, $"{Path}: the session did not come to it."),
        };
    }

    public ValueTask<int> TakeAsync(Memory<WorkItem> into, CancellationToken stop)
    {
        if (_taken || stop.IsCancellationRequested) return new(0);
        _taken = true;
        into.Span[0] = this;
        return new(1);
    }

    public override void Report(long bytes) => TransferDiagnostics.Moved(Kind, bytes);

    public override void Complete(WorkOutcome outcome) => _outcome = outcome;

    public void Dispose() => _content.Dispose();

    private static HashedContent Sink(NoContent content, string algorithm, ContentFlow? flow) =>
        new(flow is null ? content : new FlowContent(flow, content), algorithm);

    /// <summary>Takes what comes, and keeps nothing.</summary>
    private sealed class NoContent(long length) : EngineContent
    {
        public override long? Length => length;

        public override bool CanReplay => false;

        public override ValueTask WriteAsync(long offset, ReadOnlyMemory<byte> data, CancellationToken ct) => default;
    }
}
