using Transfer.Diagnostics;
using Transfer.Sessions;

namespace Transfer.Pooling;

/// <summary>The opening and closing of sessions.</summary>
internal sealed partial class SessionPool
{
    // On a busy machine an opening may start after the first has been refused for wrong credentials: then it does not try them again.
    private async Task OpenAsync(Opening opening, TransferException? known)
    {
        var started = _time.GetTimestamp();
        var (session, error, refused) = DenialSince(known) is { } denial
            ? (null, denial, _door.IsLimit(denial)) : await _door.TryOpenAsync(Expected, opening.Mark).ConfigureAwait(false);
        var took = _time.GetElapsedTime(started);
        if (Expected() is { } kind) session?.GetReady(kind);
        var changes = new PoolChanges();
        var unheard = error;
        var open = 0;
        lock (_gate)
        {
            _opening--;
            var owner = _line.End(opening);
            if (session is null)
            {
                if (OnRefusedOrFailed(owner, error!, refused, changes)) unheard = null;
            }
            else if (_disposed)
            {
                CloseLocked(session, changes);
            }
            else
            {
                OnOpened(session, took, changes);
                open = _leased.Count + _idle.Count;
            }
            // A refusal of the credentials is recorded now: openings from here on were requested behind that.
            opening.Mark.End();
            StartOpeningsLocked(changes);
        }
        if (unheard is not null) Log.OpeningFailed(_logger, unheard.Message);
        if (open > 0) Log.SessionOpened(_logger, open);
        Apply(changes);

        // On a short path, work ahead saves nothing.
        WorkKind? Expected()
        {
            lock (_gate) return _sight.IsLong(_time.GetElapsedTime(started)) ? opening.Expected : null;
        }
    }

    private TransferException? DenialSince(TransferException? known)
    {
        lock (_gate) return _denial.Latest != known ? _denial.Latest : null;
    }

    private void OnOpened(TransferSession session, TimeSpan took, PoolChanges changes)
    {
        _sight.Opened(session.Features, took);
        _circuit.Close();
        _denial.Disprove();
        GiveToWaiterOrKeepIdleLocked(session);
        _peak = Math.Max(_peak, _leased.Count + _idle.Count);
        _limit.Confirm(_leased.Count + _idle.Count);
        if (!_refusalPending) return;

        // With a session open now, the earlier refusals were due to a limit.
        _refusalPending = false;
        _line.ForgetRefusals();
        _limit.Lower(Occupied, changes);
    }

    // True: a waiter gets the error, or the error has been dealt with.
    private bool OnRefusedOrFailed(Waiter? owner, Exception error, bool refused, PoolChanges changes)
    {
        var heard = owner is not null;
        var denial = _sight.Features is null && error is TransferException { Error: TransferError.Auth } auth ? auth : null;
        if (denial is not null) _denial.Deny(denial);
        // The credentials have opened sessions before: their refusal now is one of a further session.
        refused |= _sight.Features is not null && error is TransferException { Error: TransferError.Auth };
        if (refused && Occupied > _opening)
        {
            // With sessions open, the refusal is a limit. The owner goes on waiting for one of these.
            _limit.Lower(Occupied, changes);
            heard = true;
        }
        else if (refused && _opening > 0)
        {
            // With openings only and no session, a decision is too early: a wrong password looks the same on some servers.
            _refusalPending = true;
            if (owner is not null) owner.Refusal = (TransferException)error;
        }
        else if (_sight.Features is not null && error is TransferException { IsTransient: true } lost)
        {
            // The server worked before: waiters go on waiting, for a returned session or for a later attempt.
            _circuit.Fail(lost);
            heard = !_circuit.IsExhausted || Occupied > 0;
            if (!heard)
            {
                _circuit.Close();
                _line.FailAll(error);
            }
        }
        else if (owner is not null && _line.HasOrphans)
        {
            // Another opening was begun ahead of any waiter: the owner waits for that result.
            heard = false;
        }
        else if (owner is not null)
        {
            _line.Remove(owner);
            owner.Fail(error);
        }

        if (Occupied == 0 && _refusalPending)
        {
            _refusalPending = false;
            heard |= _line.FailRefused();
        }
        if (Occupied > 0 || _denial.Pending is not { } last) return heard;
        // All waiters came before the refusal was heard, also those without an opening: the refusal answers them all.
        return _denial.DenyAll(isHeard: _line.FailAll(last) || heard);
    }

    /// <summary>Begins to close the idle sessions, except for one if none is on loan.</summary>
    /// <returns>The end of all closings and of the openings ahead; null: none is under way.</returns>
    internal Task? BeginClosingIdle()
    {
        var changes = new PoolChanges();
        Task? settled;
        lock (_gate)
        {
            while (_idle.Count > (_leased.Count > 0 ? 0 : 1) && _idle.TakeOldest() is { } session) CloseLocked(session, changes);
            settled = IsSettled ? null : _settled.Next;
            StartOpeningsLocked(changes);
        }
        Apply(changes);
        return settled;
    }

    private bool IsSettled => _closing == 0 && !_line.HasOrphans;

    private async Task CloseAsync(TransferSession session)
    {
        await _door.CloseAsync(session).ConfigureAwait(false);
        var changes = new PoolChanges();
        lock (_gate)
        {
            _closing--;
            StartOpeningsLocked(changes);
        }
        Apply(changes);
    }
}
