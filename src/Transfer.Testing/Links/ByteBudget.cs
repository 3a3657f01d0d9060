namespace Transfer.Testing.Links;

/// <summary>Bounds the bytes on the way. One task takes, another returns.</summary>
internal sealed class ByteBudget
{
    private readonly Lock _gate = new();
    private readonly long _capacity;
    private long _used;
    private TaskCompletionSource? _waiter;

    public ByteBudget(long capacity) => _capacity = Math.Max(1, capacity);

    /// <summary>Waits until there is room.</summary>
    public Task WaitAsync(CancellationToken ct)
    {
        lock (_gate)
        {
            if (_used < _capacity) return Task.CompletedTask;
            _waiter = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            return _waiter.Task.WaitAsync(ct);
        }
    }

    public void Take(int bytes)
    {
        lock (_gate) _used += bytes;
    }

    public void Return(int bytes)
    {
        TaskCompletionSource? waiter = null;
        lock (_gate)
        {
            _used -= bytes;
            if (_used < _capacity) (waiter, _waiter) = (_waiter, null);
        }

        waiter?.TrySetResult();
    }
}
