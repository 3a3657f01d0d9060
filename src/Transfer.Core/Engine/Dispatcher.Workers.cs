using Transfer.Diagnostics;
using Transfer.Engine.Flow;
using Transfer.Sessions;

namespace Transfer.Engine;

internal sealed partial class Dispatcher
{
    private const int MaxBarrenRuns = 5;

    private readonly HashSet<WorkerSource> _runs = [];
    private bool _resuming; // somebody waits for the end of a pause

    // Called under the lock.
    private void StartWorkers()
    {
        if (Waiting > 0) LookAtTheLink();
        while (_coming < Waiting + RoomInSegments() && _alive < AllowedWorkers && _settling < MaxSettling && _dead is null && !_abort.IsCancellationRequested)
        {
            if (LacksPlace || WaitsForResume()) return;
            _alive++;
            _coming++;
            _ = Task.Run(WorkAsync, CancellationToken.None);
        }
    }

    private async Task WorkAsync()
    {
        var barren = 0;
        while (true)
        {
            CancellationToken drained;
            lock (_gate)
            {
                // Once aborted, the queue is dropped by a callback of the token, and it may be that callback's thread that is here.
                if (Waiting + RoomInSegments() == 0 || _alive > AllowedWorkers || _settling >= MaxSettling || LacksPlace || _abort.IsCancellationRequested || WaitsForResume())
                {
                    Leave();
                    return;
                }
                drained = _drained.Token;
            }
            SessionLease lease;
            try
            {
                using var wait = CancellationTokenSource.CreateLinkedTokenSource(_abort, drained);
                lease = await _pool.LeaseAsync(wait.Token).ConfigureAwait(false);
            }
            catch (OperationCanceledException) when (_abort.IsCancellationRequested || drained.IsCancellationRequested)
            {
                continue;
            }
            catch (Exception e)
            {
                Retire(e as TransferException ?? new TransferConnectionException($"No session could be opened: {e.Message}", e));
                return;
            }
            var run = new WorkerSource(this, lease.Session, _time);
            await RunAsync(run).ConfigureAwait(false);
            await GiveBackAsync(lease).ConfigureAwait(false);
            lock (_gate)
            {
                _coming++;
                if (run.Yielded) _yielding--;
                if (run.Leaves) _leaving--;
                // Sessions that never even ask would be opened and thrown away for ever.
                barren = run.Asked ? 0 : barren + 1;
            }
            if (barren < MaxBarrenRuns) continue;
            Retire(new TransferConnectionException("Sessions end as soon as they are opened."));
            return;
        }
    }

    // Called under the lock. While it is paused sessions go back to the pool, where others can have them.
    private bool WaitsForResume()
    {
        if (Flow is not { IsPaused: true } flow) return false;
        if (!_resuming) _ = ResumeAsync(flow);
        return _resuming = true;
    }

    private async Task ResumeAsync(ContentFlow flow)
    {
        await flow.WhenRunningAsync(_abort).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing | ConfigureAwaitOptions.ForceYielding);
        lock (_gate)
        {
            _resuming = false;
            SayMore(0);
            StartWorkers();
        }
    }

    private async Task RunAsync(WorkerSource run)
    {
        lock (_gate)
        {
            _coming--;
            _everRan = true;
            _runs.Add(run);
            // One that has just been given back and is another worker's already is one.
            PeakSessions = Math.Max(PeakSessions, _runs.Count);
        }
        Exception? fault = null;
        Lanes?.Enter(run);
        try
        {
            await run.Session.RunAsync(run, _abort).ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (_abort.IsCancellationRequested)
        {
            // Every item was completed before: that is the contract, and EndOrphans looks after it.
        }
        catch (Exception e)
        {
            fault = e;
            Log.SessionFault(_logger, e);
        }
        Lanes?.Leave(run);
        lock (_gate) _runs.Remove(run);
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
        bool last;
        lock (_gate)
        {
            last = _alive == 1;
            _maxWorkers = Math.Max(1, Math.Min(_maxWorkers, Math.Max(AllowedWorkers, _alive)) - 1);
            if (last) _dead = error;
        }
        Log.WorkerRetired(_logger, error.Error, error.Message);
        if (last) DropQueue();
        lock (_gate) Leave();
    }

    // Called under the lock, and the worker's last deed.
    private void Leave()
    {
        _coming--;
        _alive--;
        StartWorkers();
        CheckCompletion();
    }
}
