namespace Transfer.Pooling;

/// <summary>Signals that a pool closes no session any more and opens none ahead. Not thread-safe: the pool's lock guards this.</summary>
internal sealed class SettledSignal
{
    private TaskCompletionSource? _next;

    /// <summary>Completes with the next signal.</summary>
    public Task Next => (_next ??= new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously)).Task;

    public void Set()
    {
        _next?.SetResult();
        _next = null;
    }
}
