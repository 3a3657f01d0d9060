using Transfer.Sessions;

namespace Transfer.Pooling;

/// <summary>A session on loan from the pool. Disposing returns the session; an unusable one is closed.</summary>
internal sealed class SessionLease : ISessionLoan
{
    private readonly TransferSession _session;
    private SessionPool? _pool;

    public SessionLease(SessionPool pool, TransferSession session)
    {
        _pool = pool;
        _session = session;
    }

    /// <summary>The session; the caller's alone until the lease is disposed.</summary>
    /// <exception cref="ObjectDisposedException">The lease was disposed.</exception>
    public TransferSession Session
    {
        get
        {
            ObjectDisposedException.ThrowIf(_pool is null, this);
            return _session;
        }
    }

    public ValueTask DisposeAsync() =>
        Interlocked.Exchange(ref _pool, null) is { } pool ? pool.ReturnAsync(_session) : ValueTask.CompletedTask;
}
