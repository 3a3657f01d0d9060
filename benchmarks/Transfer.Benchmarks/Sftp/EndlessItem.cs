using Transfer.Sessions;

namespace Transfer.Benchmarks.Sftp;

/// <summary>The one item of a steady transfer.</summary>
internal sealed class EndlessItem(WorkKind kind, IContent content) : WorkItem(kind, "/endless", content), IWorkSource
{
    private readonly TaskCompletionSource<WorkOutcome> _outcome = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private bool _taken;

    /// <summary>How it ended: before the benchmark does, that is a failure.</summary>
    public Task<WorkOutcome> Outcome => _outcome.Task;

    public ValueTask<int> TakeAsync(Memory<WorkItem> into, CancellationToken stop)
    {
        if (_taken) return new(0);
        _taken = true;
        into.Span[0] = this;
        return new(1);
    }

    public override void Report(long bytes)
    {
        // Nobody shows it.
    }

    public override void Complete(WorkOutcome outcome) => _outcome.TrySetResult(outcome);
}
