namespace Transfer.Testing.Links;

/// <summary>Holds all bytes of a link while it is stalled.</summary>
internal sealed class LinkGate
{
    private readonly Lock _gate = new();
    private TaskCompletionSource? _closed;

    public void Stall(bool stalled)
    {
        TaskCompletionSource? open = null;
        lock (_gate)
        {
            if (stalled) _closed ??= new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            else (open, _closed) = (_closed, null);
        }

        open?.TrySetResult();
    }

    public Task WaitUntilOpenAsync(CancellationToken ct)
    {
        TaskCompletionSource? closed;
        lock (_gate) closed = _closed;
        return closed is null ? Task.CompletedTask : closed.Task.WaitAsync(ct);
    }
}
