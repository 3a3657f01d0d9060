namespace Transfer.Testing.Ftp;

/// <summary>Tracks whether a transfer runs, and lets ABOR reach it out of turn (RFC 959 4.1.3).</summary>
internal sealed class TransferGate
{
    private readonly Lock _gate = new();
    private CancellationTokenSource? _running;
    private long _abortedBefore;

    public bool IsRunning
    {
        get
        {
            lock (_gate) return _running is not null;
        }
    }

    /// <summary>
    /// Starts the transfer of the command at a place in the connection; the caller disposes of the result after <see cref="End"/>.
    /// </summary>
    public CancellationTokenSource Begin(long sequence, CancellationToken ct)
    {
        var source = CancellationTokenSource.CreateLinkedTokenSource(ct);
        bool aborted;
        lock (_gate)
        {
            _running = source;
            aborted = sequence < _abortedBefore;
        }

        // ABOR may have arrived while the transfer still waited for its turn.
        if (aborted) source.Cancel();
        return source;
    }

    public void End()
    {
        lock (_gate) _running = null;
    }

    /// <summary>Ends the running transfer and those that were queued before an ABOR.</summary>
    public void Abort(long sequence)
    {
        lock (_gate)
        {
            _abortedBefore = sequence;

            // Asynchronously, as callbacks take this lock.
            _ = _running?.CancelAsync();
        }
    }
}
