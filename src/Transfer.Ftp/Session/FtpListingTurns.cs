using Transfer.Ftp.Protocol;

namespace Transfer.Ftp.Session;

/// <summary>
/// The order in which the listings of a session use the control connection: those of a batch that is sent, those that need the connection
/// alone, those that wait. Thread-safe.
/// </summary>
/// <param name="control">The control connection, which ends where a listing ends in mid-exchange.</param>
internal sealed class FtpListingTurns(ControlConnection control)
{
    private readonly Lock _gate = new();
    private readonly Queue<FtpListingTurn> _sent = new();
    private readonly Queue<FtpListingTurn> _alone = new();
    private readonly Queue<FtpListingTurn> _waiting = new();
    private bool _isTaken;

    /// <summary>The number of listings that wait with their commands unsent.</summary>
    public int Waiting
    {
        get { lock (_gate) return _waiting.Count; }
    }

    /// <summary>Waits for the turn of a listing; <see cref="LeaveAsync"/> has to follow.</summary>
    public async ValueTask EnterAsync(FtpListingTurn turn, CancellationToken ct)
    {
        lock (_gate)
        {
            if (_isTaken) _waiting.Enqueue(turn);
            else turn.Grant();
            _isTaken = true;
        }
        try
        {
            await turn.Granted.WaitAsync(ct).ConfigureAwait(false);
        }
        catch (OperationCanceledException)
        {
            await AbandonAsync(turn).ConfigureAwait(false);
            throw;
        }
    }

    /// <summary>Moves listings that wait into the batch of the listing that is next.</summary>
    /// <param name="joins">Takes a listing into the batch; false: the batch is full.</param>
    public IReadOnlyList<FtpListingTurn> TakeTogether(Func<FtpListingTurn, bool> joins)
    {
        var batch = new List<FtpListingTurn>();
        lock (_gate)
        {
            while (_waiting.TryPeek(out var next) && (next.IsAbandoned || joins(next)))
            {
                _waiting.Dequeue();
                if (next.IsAbandoned) continue;
                _sent.Enqueue(next);
                batch.Add(next);
            }
        }
        return batch;
    }

    /// <summary>Waits for another turn, behind the listings that wait now.</summary>
    public async ValueTask AgainAsync(FtpListingTurn turn, CancellationToken ct)
    {
        lock (_gate)
        {
            turn.Renew();
            _waiting.Enqueue(turn);
            PassLocked();
        }
        await turn.Granted.WaitAsync(ct).ConfigureAwait(false);
    }

    /// <summary>Waits, within a listing's turn, until the batch has ended and other commands can be sent.</summary>
    public async ValueTask BeAloneAsync(FtpListingTurn turn, CancellationToken ct)
    {
        lock (_gate)
        {
            if (_sent.Count == 0) return;
            turn.Renew();
            _alone.Enqueue(turn);
            PassLocked();
        }
        // A caller that waits no more leaves all the same.
        await turn.Granted.WaitAsync(ct).ConfigureAwait(false);
    }

    /// <summary>Ends a listing, and gives the turn to the next one.</summary>
    /// <param name="turn">The turn.</param>
    /// <param name="isFinished">Whether the listing has ended by itself.</param>
    public async ValueTask LeaveAsync(FtpListingTurn turn, bool isFinished)
    {
        lock (_gate)
        {
            if (!isFinished && turn.Granted.IsCompleted && (turn.IsInMidExchange || _sent.Count == 0 && control.PendingCount > 0))
                BreakOff();
        }
        await AbandonAsync(turn).ConfigureAwait(false);
    }

    private ValueTask AbandonAsync(FtpListingTurn turn)
    {
        lock (_gate)
        {
            turn.IsAbandoned = true;
            if (turn.Granted.IsCompleted) PassLocked();
        }
        return turn.DropAsync();
    }

    private void PassLocked()
    {
        while (_sent.TryDequeue(out var next) || _alone.TryDequeue(out next) || _waiting.TryDequeue(out next))
        {
            if (!next.IsAbandoned)
            {
                next.Grant();
                return;
            }
            // The server waits for a data connection that will not come.
            if (next.IsInMidExchange) BreakOff();
        }
        _isTaken = false;
    }

    private void BreakOff() =>
        control.Break(new TransferConnectionException(TransferError.Lost, "The session was given up in mid-exchange."));
}
