namespace Transfer.Pooling;

/// <summary>A caller that waits for a session. Only code that takes the waiter out of the line may complete the wait.</summary>
internal sealed class Waiter
{
    // The pool completes waits under its lock: continuations must not run there.
    private readonly TaskCompletionSource<SessionLease> _lease = new(TaskCreationOptions.RunContinuationsAsynchronously);

    public Waiter() => Node = new LinkedListNode<Waiter>(this);

    /// <summary>The place in the line.</summary>
    public LinkedListNode<Waiter> Node { get; }

    /// <summary>The opening on behalf of this waiter, if any.</summary>
    public Opening? Opening { get; set; }

    /// <summary>
    /// The server's refusal of this waiter's opening, while only other openings could show whether that was a limit or
    /// a plain refusal. No new opening starts before those have ended; if all fail, this is the waiter's error.
    /// </summary>
    public TransferException? Refusal { get; set; }

    public Task<SessionLease> Lease => _lease.Task;

    public void Serve(SessionLease lease) => _lease.SetResult(lease);

    public void Fail(Exception error) => _lease.SetException(error);

    /// <summary>Cancels the wait.</summary>
    /// <param name="reason">Why there was no session until now; null: not known.</param>
    /// <param name="ct">The token that fired.</param>
    public void Cancel(TransferException? reason, CancellationToken ct)
    {
        if (reason is null) _lease.SetCanceled(ct);
        else _lease.SetException(new OperationCanceledException(reason.Message, reason, ct));
    }
}
