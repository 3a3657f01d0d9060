using Transfer.Diagnostics;
using Transfer.Sessions;

namespace Transfer.Engine;

// The workers: each leases a session, has it take files until there are none for it, and gives it back.
internal sealed partial class Scheduler
{
    /// <summary>Has workers begin, as many as there are files for and as are allowed.</summary>
    public void StartWorkersLocked()
    {
        if (_ring.Any) LookAtTheLinkLocked();
        while (_crew.Alive < AllowedLocked && IsWantedLocked(_crew.Coming) && !_closing.IsCancellationRequested)
        {
            if (WaitsForResumeLocked()) return;
            _crew.Begin();
            _ = Task.Run(WorkAsync, CancellationToken.None);
        }
    }

    /// <summary>Workers that still wait for a session end, where nothing is left for them.</summary>
    public void DismissWaitingLocked()
    {
        if (_crew.Coming == 0 || _ring.Any || _dividing.Count > 0 || _jobs.Any(job => job.MayGetMoreLocked)) return;
        var drained = _drained;
        _drained = new CancellationTokenSource();
        _ = drained.CancelAsync();
    }

    // More files, or rests of large ones, than so many workers.
    private bool IsWantedLocked(int workers)
    {
        var wanted = 0;
        foreach (var job in _ring.Jobs)
        {
            wanted += job.WantedLocked;
            if (wanted > workers) return true;
        }
        foreach (var job in _dividing)
        {
            if (job.WaitingLocked > 0) continue;
            wanted += job.WantedLocked;
            if (wanted > workers) return true;
        }
        return false;
    }

    private async Task WorkAsync()
    {
        var barren = 0;
        while (true)
        {
            CancellationToken drained;
            lock (Gate)
            {
                // Once a job is aborted its line is dropped by a callback of the token, and it may be that callback's thread that is here.
                if (!IsWantedLocked(0) || _crew.Alive > AllowedLocked || _closing.IsCancellationRequested || WaitsForResumeLocked())
                {
                    LeaveLocked();
                    return;
                }
                drained = _drained.Token;
            }
            SessionLease lease;
            try
            {
                using var wait = CancellationTokenSource.CreateLinkedTokenSource(_closing, drained);
                lease = await _pool.LeaseAsync(wait.Token).ConfigureAwait(false);
            }
            catch (OperationCanceledException) when (_closing.IsCancellationRequested || drained.IsCancellationRequested)
            {
                continue;
            }
            catch (Exception e)
            {
                Retire(e as TransferException ?? new TransferConnectionException($"No session could be opened: {e.Message}", e));
                return;
            }
            using var run = new WorkerSource(this, lease.Session, _time, _closing);
            await RunAsync(run).ConfigureAwait(false);
            await GiveBackAsync(lease).ConfigureAwait(false);
            lock (Gate)
            {
                _crew.GiveBack(run.Yielded, run.Leaves);
                run.EndLocked();
                // Sessions that never even ask would be opened and thrown away for ever.
                barren = run.Asked ? 0 : barren + 1;
            }
            if (barren < MaxBarrenRuns) continue;
            Retire(new TransferConnectionException("Sessions end as soon as they are opened."));
            return;
        }
    }

    private async Task RunAsync(WorkerSource run)
    {
        lock (Gate)
        {
            _crew.Arrive();
            _runs.Add(run);
            foreach (var job in _ring.Jobs) job.MayHaveSessionLocked();
        }
        Exception? fault = null;
        _lanes.Enter(run);
        try
        {
            await run.Session.RunAsync(run, run.Stop).ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (run.Stop.IsCancellationRequested)
        {
            // Every item was completed before: that is the contract, and EndOrphans looks after it.
        }
        catch (Exception e)
        {
            fault = e;
            Log.SessionFault(_logger, e);
        }
        _lanes.Leave(run);
        lock (Gate) _runs.Remove(run);
        run.EndOrphans(fault);
    }

    private async ValueTask GiveBackAsync(SessionLease lease)
    {
        try
        {
            await lease.DisposeAsync().ConfigureAwait(false);
        }
        catch (Exception e)
        {
            // The items have their outcomes; a farewell that went wrong is no reason to stop working.
            Log.SessionFault(_logger, e);
        }
    }

    private void Retire(TransferException error)
    {
        Dispatcher[] dead = [];
        // Credentials that were refused are refused to the next worker too, and many servers count how often.
        var isDenied = error.Error == TransferError.Auth && _pool.LastFeatures is null;
        lock (Gate)
        {
            if (_crew.Fail(AllowedLocked) || isDenied) dead = [.. _jobs.Where(job => isDenied || job.UnsettledLocked > 0)];
            foreach (var job in dead) job.DieLocked(error);
        }
        Log.WorkerRetired(_logger, error.Error, error.Message);
        foreach (var job in dead) job.DropQueue();
        lock (Gate) LeaveLocked();
    }

    // The worker's last deed.
    private void LeaveLocked()
    {
        _crew.End();
        StartWorkersLocked();
    }
}
