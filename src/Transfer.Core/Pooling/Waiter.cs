namespace Transfer.Pooling;

/// <summary>Somebody who waits for a session. Only who takes it out of the line may complete it.</summary>
internal sealed class Waiter
{
    // Continuations never run where the pool completes it, which is under its lock.
    private readonly TaskCompletionSource<SessionLease> _lease = new(TaskCreationOptions.RunContinuationsAsynchronously);

    public Waiter() => Node = new LinkedListNode<Waiter>(this);

    /// <summary>Its place in the line.</summary>
    public LinkedListNode<Waiter> Node { get; }

    /// <summary>The opening that runs on its account, if any.</summary>
    public Opening? Opening { get; set; }

    /// <summary>
    /// The server refused its opening while nothing but other openings was there to tell whether that is a limit or
    /// plain refusal. It is not tried again before they have ended; if all fail, this is its error.
    /// </summary>
    public TransferException? Refusal { get; set; }

    public Task<SessionLease> Lease => _lease.Task;

    public void Serve(SessionLease lease) => _lease.SetResult(lease);

    public void Fail(Exception error) => _lease.SetException(error);

    public void Cancel(CancellationToken ct) => _lease.SetCanceled(ct);
}
