using Transfer.Engine.Scheduling;
using Transfer.Pooling;
using Transfer.Sessions;

namespace Transfer.Engine.Trees;

/// <summary>
/// Carries an act through a remote tree, over one session or more: folders are listed many at a time, their entries handled in long
/// streams, and each folder is finished behind the content. Further sessions join only where several units wait for each, or so many round
/// trips that a log-in pays. When a session is lost, the unit in the midst goes to another session, and counts as in doubt.
/// </summary>
internal sealed class TreePass
{
    // The units that wait for each further session: a log-in costs as many round trips as some units.
    private const int UnitsForSession = 4;

    private readonly SessionPool _pool;
    private readonly Scheduler _scheduler;
    private readonly ITreeAct _act;
    private readonly PassBoard _board;
    private readonly int _mostSessions;
    private readonly TransferJobContext? _job;
    private readonly CancellationTokenSource _stop;
    private readonly CancellationTokenSource _ending; // nothing more begins
    private readonly Lock _gate = new();
    private readonly List<Task> _workers = [];
    private int _atWork;
    private int _prepared = 1; // sessions, with the first worker's

    private TreePass(ClientEngine engine, ITreeAct act, PassFolder root, TransferJobContext? job, CancellationTokenSource stop,
        CancellationTokenSource ending)
    {
        _job = job;
        _ending = ending;
        (_pool, _scheduler) = (engine.Pool, engine.Scheduler);
        _mostSessions = engine.UsualSessions;
        _act = act;
        _board = new PassBoard(root);
        _stop = stop;
    }

    /// <summary>Carries the act through a folder.</summary>
    /// <param name="engine">The engine of the client.</param>
    /// <param name="act">The act.</param>
    /// <param name="root">The folder.</param>
    /// <param name="job">The job, which may pause or stop the pass between two units; null: none.</param>
    /// <param name="ct">Cancels.</param>
    /// <exception cref="TransferException">No session can go on. Errors of entries are the act's to report.</exception>
    /// <exception cref="OperationCanceledException">Cancelled, or stopped before the end.</exception>
    public static async Task RunAsync(ClientEngine engine, ITreeAct act, PassFolder root, TransferJobContext? job, CancellationToken ct)
    {
        using var stop = CancellationTokenSource.CreateLinkedTokenSource(ct);
        using var ending = CancellationTokenSource.CreateLinkedTokenSource(stop.Token, job?.Stopping ?? default);
        var pass = new TreePass(engine, act, root, job, stop, ending);
        pass.AddWorkers(1);
        await pass.EndAsync().ConfigureAwait(false);
    }

    private async Task EndAsync()
    {
        for (var i = 0; i < Read(() => _workers.Count); i++)
            await Read(() => _workers[i]).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        // The first failure has stopped the other workers.
        if ((_workers.Find(static worker => worker.IsFaulted) ?? _workers.Find(static worker => worker.IsCanceled)) is { } failed)
            await failed.ConfigureAwait(false);
        if (!_board.IsDone) _job?.Stopping.ThrowIfCancellationRequested();
    }

    private void AddWorkers(int wanted)
    {
        lock (_gate)
        {
            for (; _atWork < wanted && !_stop.IsCancellationRequested; _atWork++)
                _workers.Add(Task.Run(WorkAsync, CancellationToken.None));
        }
    }

    private async Task WorkAsync()
    {
        try
        {
            while (await _board.WaitAsync(_stop.Token).ConfigureAwait(false))
            {
                if (!await MayGoOnAsync().ConfigureAwait(false)) break;
                if (await LeaseAsync().ConfigureAwait(false) is not { } lease) return;
                TimeSpan wait;
                await using (lease.ConfigureAwait(false)) wait = await WorkAsync(lease.Session).ConfigureAwait(false);
                if (wait > TimeSpan.Zero) await Task.Delay(wait, _pool.Time, _stop.Token).ConfigureAwait(false);
            }
            // Units that other workers have under way are finished when the job is stopped.
            if (_board.IsDone) await _stop.CancelAsync().ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (_board.IsDone)
        {
            // The work ended while a further session was being opened.
        }
        catch
        {
            await _stop.CancelAsync().ConfigureAwait(false);
            throw;
        }
        lock (_gate) _atWork--;
    }

    // Waits while the job is paused, or has too many unread items; no session is held meanwhile. False: the job is stopped.
    private async ValueTask<bool> MayGoOnAsync()
    {
        try
        {
            while (_job is not null && !IsFree)
            {
                await _job.WhenResumedAsync(_ending.Token).ConfigureAwait(false);
                await _job.WhenItemsAreReadAsync(_ending.Token).ConfigureAwait(false);
                _ending.Token.ThrowIfCancellationRequested();
            }
            return true;
        }
        catch (OperationCanceledException) when (!_stop.IsCancellationRequested)
        {
            return false;
        }
    }

    private bool IsFree => !_ending.IsCancellationRequested
        && (_job is null || (!_job.IsPaused && _job.HasRoomForItems));

    private int MostSessions => Math.Max(1, Math.Min(_mostSessions, _pool.Limit));

    // Null: no session for this worker, and other workers go on.
    private async ValueTask<SessionLease?> LeaseAsync()
    {
        try
        {
            return await _pool.LeaseAsync(_stop.Token).ConfigureAwait(false);
        }
        catch (TransferException)
        {
            lock (_gate)
            {
                if (_atWork == 1) throw;
                _atWork--;
            }
            return null;
        }
    }

    // Returns the wait before the next session.
    private async ValueTask<TimeSpan> WorkAsync(TransferSession session)
    {
        while (session.Usable && IsFree && _board.Take(session.Features, MostSessions) is { } unit)
        {
            try
            {
                await RunAsync(session, unit).ConfigureAwait(false);
            }
            catch (TransferException e)
                when (SessionPoolExtensions.IsLoss(e) && MayRepeat(unit))
            {
                unit.Losses++;
                _board.Return(unit);
                return _pool.WaitAfter(e, unit.Losses);
            }
            AddWorkers(WorthSessions(session.Features));
            // Other callers have their turn.
            if (_pool.WaitingCount > 0) break;
        }
        return TimeSpan.Zero;
    }

    // The number of sessions that the waiting work is worth.
    private int WorthSessions(TransferFeatures features)
    {
        var (units, flights) = _board.WaitingFor(features);
        return Math.Min(MostSessions, Math.Max(1 + (units / UnitsForSession), _scheduler.PayingForFlights(flights, MostSessions)));
    }

    // The sessions for the content are opened while the other folders are listed: each once, as the number grows.
    private void Prepare(int sessions)
    {
        lock (_gate)
        {
            if (sessions <= _prepared) return;
            _prepared = sessions;
        }
        _scheduler.Prepare(sessions, null);
    }

    private bool MayRepeat(PassUnit unit) => unit.Losses + 1 < _pool.Retry.Attempts && !_stop.IsCancellationRequested;

    private async ValueTask RunAsync(TransferSession session, PassUnit unit)
    {
        var started = _pool.Time.GetTimestamp();
        switch (unit.Stage)
        {
            case PassStage.Visit:
                foreach (var folder in unit.Folders) folder.MayRepeat = MayRepeat(unit);
                _board.Visited(unit, await VisitAsync(session, unit.Folders).ConfigureAwait(false));
                return;
            case PassStage.Handle:
                await _act.HandleAsync(session, unit.Entries, unit.Losses > 0, _stop.Token).ConfigureAwait(false);
                break;
            case PassStage.Finish:
                await _act.FinishAsync(session, unit.Folders, unit.Losses > 0, _stop.Token).ConfigureAwait(false);
                break;
        }
        _board.Done(unit, _pool.Time.GetElapsedTime(started));
    }

    private async ValueTask<PassContent[]> VisitAsync(TransferSession session, IReadOnlyList<PassFolder> folders)
    {
        var beside = session.Features.ProvesBesideFinds;
        PassFolder[] unproved = [.. folders.Where(folder => folder.Proof is null && (!beside || _act.Prepares(folder)))];
        var proofs = await ProveAsync(session, [.. unproved.Select(static folder => folder.Entry)]).ConfigureAwait(false);
        for (var i = 0; i < unproved.Length; i++) unproved[i].Proof = proofs[i];
        PassFolder[] prepared = [.. folders.Where(folder => folder.Proof == DirectoryProof.Child && _act.Prepares(folder))];
        if (prepared.Length > 0) await _act.PrepareAsync(session, prepared, _stop.Token).ConfigureAwait(false);
        // The session lists as many at a time as the unit has, and does nothing else meanwhile.
        var contents = await Task.WhenAll(folders.Select(folder => VisitAsync(session, folder))).ConfigureAwait(false);
        // The first listing may have shown that the next flight can prove them.
        if (!session.Features.ProvesBesideFinds) await ProveChildrenAsync(session, folders, contents).ConfigureAwait(false);
        for (var i = 0; i < contents.Length; i++)
        {
            if (folders[i] is { Proof: { } proof and not DirectoryProof.Child } folder)
                contents[i] = new PassContent([], []) { Instead = _act.Instead(folder.Parent!, folder.Path, proof) };
        }
        return contents;
    }

    private async Task<PassContent> VisitAsync(TransferSession session, PassFolder folder)
    {
        if (folder.Proof is not (null or DirectoryProof.Child)) return new PassContent([], []);
        var content = await _act.VisitAsync(session, folder, _stop.Token).ConfigureAwait(false);
        folder.Proof ??= content.Proof ?? DirectoryProof.Unknown;
        _board.Listed(content);
        Prepare(WorthSessions(session.Features));
        return content;
    }

    // In one round trip those of many folders.
    private async ValueTask ProveChildrenAsync(TransferSession session, IReadOnlyList<PassFolder> folders, PassContent[] contents)
    {
        var proofs = await ProveAsync(session, [.. contents.SelectMany(static content => content.Folders)]).ConfigureAwait(false);
        for (var (i, at) = (0, 0); i < contents.Length; i++)
        {
            var (entries, children) = (new List<PassEntry>(contents[i].Entries), new List<RemoteEntry>(contents[i].Folders.Count));
            foreach (var child in contents[i].Folders)
            {
                if (proofs[at++] is var proof && proof == DirectoryProof.Child) children.Add(child);
                else if (_act.Instead(folders[i], child.Path, proof) is { } entry) entries.Add(entry);
            }
            contents[i] = contents[i] with { Entries = entries, Folders = children, IsProved = true };
        }
    }

    private async ValueTask<IReadOnlyList<DirectoryProof>> ProveAsync(TransferSession session, IReadOnlyList<RemoteEntry> entries) =>
        entries.Count == 0 ? [] : await session.ProveDirectoriesAsync(entries, _stop.Token).ConfigureAwait(false);

    private T Read<T>(Func<T> value)
    {
        lock (_gate) return value();
    }
}
