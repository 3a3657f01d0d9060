using Transfer.Sessions;
using Transfer.Tests.Sessions;

namespace Transfer.Tests.Engine;

/// <summary>A session whose runs take no files, and go on until the test ends them.</summary>
internal sealed class RunSession : PoolSession
{
    private readonly TaskCompletionSource _end = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private int _runs;

    /// <summary>The runs that have begun.</summary>
    public int Runs => Volatile.Read(ref _runs);

    /// <summary>Thrown at the end of a run; null: nothing.</summary>
    public Exception? Fault { get; init; }

    public override async Task RunAsync(IWorkSource work, CancellationToken abort)
    {
        Interlocked.Increment(ref _runs);
        await _end.Task;
        if (Fault is not null) throw Fault;
    }

    /// <summary>Ends the run under way, and all later ones at once.</summary>
    public void End() => _end.SetResult();
}
