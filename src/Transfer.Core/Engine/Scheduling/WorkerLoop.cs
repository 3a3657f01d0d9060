using Microsoft.Extensions.Logging;
using Transfer.Diagnostics;
using Transfer.Engine.Files;
using Transfer.Pooling;

namespace Transfer.Engine.Scheduling;

/// <summary>
/// Runs a client's workers: each leases a session, lets the session take files until there are none, and returns the lease.
/// </summary>
internal sealed class WorkerLoop : IDisposable
{
    private const int MaxBarrenRuns = 5;

    private readonly IWorkerOwner _owner;
    private readonly Crew _crew;
    private readonly SessionPool _pool;
    private readonly LaneBoard _lanes;
    private readonly ILogger _logger;
    private readonly CancellationToken _closing;
    private readonly HashSet<WorkerSource> _runs = [];
    private CancellationTokenSource _drained = new();

    /// <param name="owner">The owner, which has the work.</param>
    /// <param name="crew">Counts the workers.</param>
    /// <param name="pool">The pool of the client.</param>
    /// <param name="lanes">The board of the sessions that move files.</param>
    /// <param name="logger">The log.</param>
    /// <param name="closing">Fires when the client is disposed.</param>
    public WorkerLoop(IWorkerOwner owner, Crew crew, SessionPool pool, LaneBoard lanes, ILogger logger, CancellationToken closing)
    {
        _owner = owner;
        _crew = crew;
        _pool = pool;
        _lanes = lanes;
        _logger = logger;
        _closing = closing;
    }

    /// <summary>The runs of sessions under way.</summary>
    public IReadOnlyCollection<WorkerSource> RunsLocked => _runs;

    /// <summary>Starts workers, as many as there are files for and as are allowed.</summary>
    public void StartLocked()
    {
        while (_owner.MayStartLocked)
        {
            var worker = _crew.Begin();
            _ = Task.Run(() => WorkAsync(worker), CancellationToken.None);
        }
    }

    /// <summary>Ends workers that still wait for a session, when there is no work for them.</summary>
    public void DismissWaitingLocked()
    {
        if (_crew.Count(WorkerState.Waiting) == 0 || !_owner.HasNothingToComeLocked) return;
        var drained = _drained;
        _drained = new CancellationTokenSource();
        _ = drained.CancelAsync();
    }

    public void Dispose() => _drained.Dispose();

    private async Task WorkAsync(Worker worker)
    {
        var barren = 0;
        while (true)
        {
            CancellationToken drained;
            lock (_owner.Gate)
            {
                // The line of an aborted job is dropped by a callback of the token, and this may be the thread of that callback.
                if (!_owner.MayGoOnLocked)
                {
                    EndLocked(worker);
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
                Retire(worker, e as TransferException ?? new TransferConnectionException($"No session could be opened: {e.Message}", e));
                return;
            }
            using var run = _owner.Begin(worker, lease.Session);
            await RunAsync(run).ConfigureAwait(false);
            await GiveBackAsync(lease).ConfigureAwait(false);
            lock (_owner.Gate)
            {
                _crew.Move(worker, WorkerState.Waiting);
                run.EndLocked();
                // Without this bound, sessions that end before they take files would be opened and closed for ever.
                barren = run.Asked ? 0 : barren + 1;
            }
            if (barren < MaxBarrenRuns) continue;
            Retire(worker, new TransferConnectionException("Sessions end as soon as they are opened."));
            return;
        }
    }

    private async Task RunAsync(WorkerSource run)
    {
        lock (_owner.Gate)
        {
            _crew.Move(run.Worker, WorkerState.Working);
            _runs.Add(run);
            _owner.HasSessionLocked();
        }
        Exception? fault = null;
        _lanes.Add(run);
        try
        {
            await run.Session.RunAsync(run, run.Stop).ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (run.Stop.IsCancellationRequested)
        {
            // Every item was completed before, by contract; EndOrphans completes the rest.
        }
        catch (Exception e)
        {
            fault = e;
            Log.SessionFault(_logger, e);
        }
        _lanes.Remove(run);
        lock (_owner.Gate) _runs.Remove(run);
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
            // The items have their outcomes; a failed log-out does not stop the worker.
            Log.SessionFault(_logger, e);
        }
    }

    private void Retire(Worker worker, TransferException error)
    {
        Dispatcher[] dead;
        lock (_owner.Gate) dead = _owner.FailedLocked(error);
        Log.WorkerRetired(_logger, error.Error, error.Message);
        foreach (var job in dead) job.DropQueue();
        lock (_owner.Gate) EndLocked(worker);
    }

    // The last call of a worker.
    private void EndLocked(Worker worker)
    {
        _crew.End(worker);
        _owner.EndedLocked();
    }
}
