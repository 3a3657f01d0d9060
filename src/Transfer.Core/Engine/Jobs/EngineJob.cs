using System.Runtime.ExceptionServices;
using Microsoft.Extensions.Logging;
using Transfer.Contents;
using Transfer.Diagnostics;
using Transfer.Engine.Cleaning;
using Transfer.Engine.Files;
using Transfer.Engine.Scheduling;
using Transfer.Journal;
using Transfer.Listings;
using Transfer.Names;
using Transfer.Replacing;

namespace Transfer.Engine.Jobs;

/// <summary>
/// Moves 1 to n files over the sessions of one client. The difference between an upload, a download and one half of a copy is in the
/// files' contents only.
/// </summary>
internal sealed class EngineJob : IDispatcherOwner, IAsyncDisposable
{
    private readonly string _operation;
    private readonly ClientEngine _engine;
    private readonly ILogger _logger;
    private readonly TimeProvider _time;
    private readonly long _started;
    private readonly CancellationToken _caller;
    private readonly CancellationToken _closing;
    private readonly CancellationToken _finish;
    private readonly CancellationTokenSource _abort;
    private readonly CancellationTokenSource _ending;
    private readonly ProgressReporter _progress;
    private readonly TransferJobContext _context;
    private readonly IDisposable _sessions;
    private readonly JobTally _tally = new();
    private readonly Lock _firstGate = new();
    private TemporaryNames _names = new();
    private AsideNames? _asides;
    private ExceptionDispatchInfo? _fault;
    private FileEnd _first;
    private long _lost;
    private JobLock? _lock;
    private volatile bool _leftOut;
    private bool _isLent; // the journal

    /// <param name="operation">The name of the job in logs.</param>
    /// <param name="engine">The engine that has the sessions.</param>
    /// <param name="limits">The number of sessions and segments to use.</param>
    /// <param name="context">The caller's tokens, progress and items.</param>
    public EngineJob(string operation, ClientEngine engine, JobLimits limits, TransferJobContext context)
    {
        _operation = operation;
        _engine = engine;
        Room = engine.Listings.Open(operation);
        _logger = engine.Logger;
        _time = engine.Time;
        _started = _time.GetTimestamp();
        _context = context;
        _caller = context.CancellationToken;
        _closing = engine.Closing;
        _abort = CancellationTokenSource.CreateLinkedTokenSource(_caller, engine.Closing);
        Abort = _abort.Token;
        _finish = context.Stopping;
        _ending = CancellationTokenSource.CreateLinkedTokenSource(Abort, _finish);
        Ending = _ending.Token;
        _progress = new ProgressReporter(context.Progress, _time, OnFault);
        Dispatcher = new Dispatcher(engine, limits, this, context.Pause, Abort, _finish);
        _sessions = context.AddSessions(() => engine.Lanes.Read(Dispatcher));
    }

    /// <summary>Removes or moves sources; null: they stay.</summary>
    public ISourceDisposal? Sources { get; set; }

    /// <summary>Returns why a file would be written in place of itself, or null; null: the job does not look.</summary>
    public Func<SourceFile, CancellationToken, Task<TransferException?>>? FindSelf { get; set; }

    /// <summary>Fires when the job is given up.</summary>
    public CancellationToken Abort { get; }

    /// <summary>
    /// The budget for entries that the job keeps: directories that wait for their turn, and extra entries of the target.
    /// </summary>
    public ListingShare Room { get; }

    /// <summary>Fires when no more files may begin, for any reason.</summary>
    public CancellationToken Ending { get; }

    /// <summary>The number of files that were to be sent, and failed.</summary>
    public long LostFiles => Interlocked.Read(ref _lost);

    public Dispatcher Dispatcher { get; }

    /// <summary>The journal of the job; null: none is kept.</summary>
    public JobJournal? Journal { get; private set; }

    /// <summary>The files that the journal knows of without their final names; null: no journal is kept.</summary>
    public JournalLeftovers? Leftovers { get; private set; }

    public ILogger Logger => _logger;

    public TimeProvider Time => _time;

    /// <summary>Returns whether a temporary name is of this run, or of an earlier run in the journal.</summary>
    public bool IsOwn(string temporary) => TemporaryNames.RunOf(temporary) == _names.Run || Journal?.IsOfEarlierRun(temporary) == true;

    /// <summary>Returns whether a run is this one.</summary>
    public bool IsOwnRun(string run) => run == _names.Run;

    /// <summary>Returns whether a run is an earlier one of this job in the journal.</summary>
    public bool IsOfKnownRun(string run) => Journal?.IsEarlierRun(run) == true;

    public string NextTemporaryName() => _names.Next();

    /// <summary>Locks out a second run of the same job, before all other steps.</summary>
    /// <param name="settings">The lock; null: none.</param>
    /// <param name="source">The source of the job.</param>
    /// <param name="target">The target of the job.</param>
    /// <exception cref="TransferException">Another run is under way.</exception>
    public async ValueTask LockAsync(JobLockSettings? settings, string source, string target)
    {
        if (settings is null) return;
        try
        {
            _lock = await JobLock.TakeAsync(settings, JobJournal.JobOf(_operation, source, target), _time, Ending).ConfigureAwait(false);
        }
        catch (OperationCanceledException)
        {
            _caller.ThrowIfCancellationRequested();
            if (_closing.IsCancellationRequested) throw ClientEngine.Disposed();
            _finish.ThrowIfCancellationRequested();
            throw;
        }
    }

    /// <summary>The names of asides at the target, which the journal records where there is one.</summary>
    public AsideNames Asides =>
        LazyInitializer.EnsureInitialized(ref _asides, () => new AsideNames(_names, RecordAside, path => Journal?.NoteLeftover(path)));

    public void KeepFiles(string path, IReadOnlyList<string> kept)
    {
        foreach (var keptAs in kept)
        {
            Journal?.NoteKept(keptAs, path);
            ReportKept(path, keptAs);
        }
    }

    /// <summary>Reports in the result a content at the target without the final name.</summary>
    public void ReportKept(string path, string keptAs) =>
        _tally.Keep(
            new KeptFile(path, keptAs) { IsOld = AsideNames.RunOf(keptAs[(keptAs.LastIndexOfAny(['/', '\\']) + 1)..]) is not null });

    /// <summary>Opens the journal, before the work begins.</summary>
    /// <param name="settings">The place and the rules of the journal; null: none is kept.</param>
    /// <param name="source">The source of the job: a journal is one job's.</param>
    /// <param name="target">The target of the job.</param>
    /// <param name="delete">Deletes temporary files of earlier runs; returns an error or null for each, in order.</param>
    /// <param name="namesAll">See <see cref="JobJournal.NamesAll"/>.</param>
    /// <param name="lent">A journal kept by another job, to use instead.</param>
    /// <exception cref="TransferException">The journal cannot be used.</exception>
    public void KeepJournal(
        JournalSettings? settings, string source, string target,
        Func<IReadOnlyList<string>, CancellationToken, ValueTask<IReadOnlyList<TransferException?>>> delete, bool namesAll = false,
        LentJournal? lent = null)
    {
        if (lent is not null)
        {
            (Journal, _names, _isLent) = (lent.Journal, lent.Names, true);
            Leftovers = new JournalLeftovers(this, _engine, lent.Journal, delete);
            return;
        }
        if (settings is null) return;
        var job = JobJournal.JobOf(_operation, source, target) + settings.Suffix;
        Journal = JobJournal.OpenIfRoom(settings.Path ?? _engine.JournalOf(job), job, _names, settings.Resume, namesAll, _logger,
            settings.Flush, _time);
        if (Journal is { } journal) Leftovers = new JournalLeftovers(this, _engine, journal, delete);
    }

    /// <summary>Returns the record of a file in the journal; null where there is no journal.</summary>
    /// <param name="name">The file's name at the target: the record holds as long as the file has that name.</param>
    /// <param name="length">The source's length, if known.</param>
    /// <param name="modified">The source's time, if known.</param>
    /// <param name="inRanges">Whether the content can be read or written at any offset, so that the file can be continued.</param>
    /// <param name="verify">The check: a hash covers the whole file in one move, so that such a file begins anew.</param>
    public JournaledFile? Track(string name, long? length, DateTimeOffset? modified, bool inRanges, VerificationMode verify) =>
        Journal is null
        ? null : new JournaledFile(Journal, name, SourceStamp.Of(length, modified), inRanges && verify != VerificationMode.Hash);

    public void OnBytesMoved(long bytes) => _progress.Moved(bytes);

    public void OnRequeued(JobFile file, TransferException? reason)
    {
        _tally.Retried();
        _engine.Meter.Retried();
    }

    public void OnEnded(JobFile file, FileEnd end)
    {
        lock (_firstGate) _first = end;
        if (end is { Result: null, Error: null }) _leftOut = true;
        if (end.Result is { Skipped: false }) file.Journaled?.Done();
        if (end.Result is { Skipped: false }) _progress.FileDone();
        else _progress.Unplan(file.ExpectedLength);

        // No file was begun: the job fails as a whole, and need not report each item too.
        if (Dispatcher.Fatal is not null) return;
        if (end.Result is { } result)
        {
            SkipReason? reason = result.Skipped ? SkipReason.Exists : null;
            Report(new ItemResult { Path = file.Name, MappedTo = file.Spec.MappedTo, Reason = reason, Result = result });
            if (!result.Skipped && file.Spec.Source is { } source) Sources?.Add(file.Spec.Item, source, end.IsUnseen);
        }
        else if (end.Error is { } error)
        {
            ReportLost(file.Spec.Item, error);
        }
    }

    /// <summary>Reports a file that was to be sent, and failed.</summary>
    public void ReportLost(ItemPath item, TransferException error)
    {
        Interlocked.Increment(ref _lost);
        Fail(item, error);
    }

    /// <summary>Reports an item that failed, queued or not.</summary>
    /// <param name="item">The item.</param>
    /// <param name="error">The reason.</param>
    /// <param name="isLeft">The file has arrived, and only its source could not be removed or moved.</param>
    public void Fail(ItemPath item, TransferException error, bool isLeft = false)
    {
        Log.ItemFailed(_logger, item.Path, error.Error, error.Message);
        error.IsLogged = true;
        Report(new ItemResult { Path = item.Path, MappedTo = item.MappedTo, Error = error, IsLeft = isLeft });
    }

    /// <summary>Reports an item that arrived without being queued.</summary>
    /// <param name="item">The item.</param>
    /// <param name="result">The result.</param>
    /// <param name="group">See <see cref="ItemResult.Group"/>.</param>
    public void Done(ItemPath item, TransferResult result, string? group = null)
    {
        lock (_firstGate) _first = new FileEnd(result, null);
        _progress.FileDone();
        Report(new ItemResult { Path = item.Path, MappedTo = item.MappedTo, Group = group, Result = result });
    }

    /// <summary>Counts in the progress a file that begins without being queued.</summary>
    public void PlanFile(long? length) => _progress.Plan(length);

    /// <summary>Removes from the progress such a file that ended without arriving.</summary>
    public void UnplanFile(long? length) => _progress.Unplan(length);

    /// <summary>Reports an item that is skipped.</summary>
    public void Skip(ItemPath item, SkipReason reason)
    {
        var result = new TransferResult { Skipped = true };
        lock (_firstGate) _first = new FileEnd(result, null);
        Report(new ItemResult { Path = item.Path, MappedTo = item.MappedTo, Action = ItemAction.Skip, Reason = reason, Result = result });
    }

    /// <summary>Counts items that would have been deleted and are not.</summary>
    public void CountHeld(long items) => _tally.CountNotDeleted(items);

    /// <summary>Counts a file that was read as a whole for a comparison.</summary>
    public void ReadBack() => _tally.ReadBack();

    /// <summary>
    /// Waits while the reader of the items is far behind. The caller must hold no session, lock or budget that another needs.
    /// </summary>
    public ValueTask WhenItemsAreReadAsync(CancellationToken ct) => _context.WhenItemsAreReadAsync(ct);

    /// <summary>Fails a file that would be written in place of itself. Returns whether it would.</summary>
    public async ValueTask<bool> RefusesAsync(JobFile file)
    {
        if (FindSelf is not { } find || file.Spec.Source is not { } source) return false;
        if (await find(source, Abort).ConfigureAwait(false) is not { } self) return false;
        await file.Content.AbandonAsync(self).ConfigureAwait(false);
        ReportLost(file.Spec.Item, self);
        return true;
    }

    /// <summary>Queues a file, waiting for room.</summary>
    public async ValueTask AddAsync(JobFile file)
    {
        if (await RefusesAsync(file).ConfigureAwait(false)) return;
        _progress.Plan(file.ExpectedLength);
        try
        {
            await Dispatcher.ProbeAsync(file, Abort).ConfigureAwait(false);
            if (Leftovers is { } leftovers) await leftovers.ContinueAsync(file).ConfigureAwait(false);
            await Dispatcher.EnqueueAsync(file, Abort).ConfigureAwait(false);
        }
        catch (Exception e)
        {
            // The file is not in line; the other end of the content may be waiting.
            await file.Content.AbandonAsync(e as TransferException).ConfigureAwait(false);
            throw;
        }
    }

    /// <summary>Runs the job: <paramref name="plan"/> adds the files.</summary>
    /// <param name="plan">Adds the files; ends when there are no more.</param>
    /// <param name="finish">Runs when each file has ended.</param>
    /// <exception cref="TransferException">The job could not be done at all.</exception>
    public async Task<JobResult> RunAsync(Func<CancellationToken, Task> plan, Func<CancellationToken, Task>? finish = null)
    {
        ExceptionDispatchInfo? failure = null;
        try
        {
            Ending.ThrowIfCancellationRequested();
            // First, since leftovers take room at the target.
            if (!_isLent && Leftovers is { } left) await left.TidyAsync().ConfigureAwait(false);
            await plan(Ending).ConfigureAwait(false);
            _progress.PlanComplete();
            Dispatcher.Complete();
            await Dispatcher.Completion.ConfigureAwait(false);
            if (finish is not null && Dispatcher.Fatal is null && !_leftOut) await finish(Ending).ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (_finish.IsCancellationRequested && !Abort.IsCancellationRequested)
        {
            _leftOut = true; // and files under way go on
        }
        catch (Exception e)
        {
            failure = ExceptionDispatchInfo.Capture(e);
            await _abort.CancelAsync().ConfigureAwait(false);
        }
        // In all cases every file has ended, and no temporary file stays, before the job returns.
        Dispatcher.Complete();
        await Dispatcher.Completion.ConfigureAwait(false);
        if (Sources is { } sources) await sources.FinishAsync().ConfigureAwait(false);
        var isOver = failure is null && !_leftOut && !Abort.IsCancellationRequested && Dispatcher.Dead is null;
        if (isOver && !_isLent && Leftovers is { } rest) await rest.DiscardAbandonedAsync().ConfigureAwait(false);
        await Dispatcher.CleanUpAsync().ConfigureAwait(false);
        // Asides of lost sessions that no later session settled.
        if (_asides?.Open is { Count: > 0 } open) await RecoverAsync(open, CancellationToken.None).ConfigureAwait(false);
        await _progress.DisposeAsync().ConfigureAwait(false);

        _fault?.Throw();
        _caller.ThrowIfCancellationRequested();
        if (_closing.IsCancellationRequested) throw ClientEngine.Disposed();
        if (Dispatcher.Fatal is { } fatal) throw fatal;
        failure?.Throw();
        if (_leftOut) _finish.ThrowIfCancellationRequested();
        if (_tally.FailedCount == 0 && !_isLent) Journal?.End();
        var result = _tally.ToResult(_time.GetElapsedTime(_started), Dispatcher.PeakSessions) with { Lost = LostFiles };
        Log.JobEnded(
            _logger, _operation, _context.Id, result.Files, result.Bytes, result.Skipped, result.Failed, result.Sessions,
            result.Elapsed.TotalSeconds);
        return result;
    }

    /// <summary>Runs a job of one file; a failure of the file is one of the job.</summary>
    /// <param name="item">The name of the file.</param>
    /// <param name="plan">Returns the file, or null when skipped, or reported to <see cref="Done"/>.</param>
    /// <param name="overwrite">The mode for which the file is skipped.</param>
    public async Task<(JobResult Job, TransferResult File)> RunSingleAsync(ItemPath item, Func<CancellationToken, ValueTask<JobFile?>> plan,
        OverwriteMode overwrite)
    {
        var job = await RunAsync(async ct =>
        {
            if (await plan(ct).ConfigureAwait(false) is { } file)
            {
                await AddAsync(file).ConfigureAwait(false);
                return;
            }
            if (_first.Result is null) Skip(item, OverwritePolicy.ReasonOf(overwrite));
        }).ConfigureAwait(false);
        if (_first.Error is { } error) throw error;
        // The file has arrived, and its source could not be removed.
        if (job.Failures is [{ Error: { } left }, ..]) throw left;
        if (_first.Result is not { } result) throw new OperationCanceledException("The transfer was cancelled.");
        return (job, result with { Elapsed = job.Elapsed, Kept = job.Kept });
    }

    public async ValueTask DisposeAsync()
    {
        await _progress.DisposeAsync().ConfigureAwait(false);
        // Closing flushes the journal, also when the job was cancelled.
        if (Journal is { } journal && !_isLent) await journal.CloseAsync().ConfigureAwait(false);
        _lock?.Dispose();
        _sessions.Dispose();
        Room.Dispose();
        Dispatcher.Dispose();
        _ending.Dispose();
        _abort.Dispose();
    }

    /// <summary>Keeps the exception of the caller's own code, which the job throws when it has ended.</summary>
    /// <returns>Whether that is the first.</returns>
    public bool Keep(Exception exception) =>
        Interlocked.CompareExchange(ref _fault, ExceptionDispatchInfo.Capture(exception), null) is null;

    /// <summary>Reports an item that has ended, with or without success.</summary>
    public void Report(ItemResult item)
    {
        if (item.Result is { } result)
            _tally.Done(result.Skipped && item.Action == ItemAction.Transfer ? ItemAction.Skip : item.Action, result);
        else _tally.Failed(item);
        if (_context.Items is not { } items) return;
        try
        {
            items.Report(item);
        }
        catch (Exception e)
        {
            OnFault(e);
        }
    }

    /// <summary>Settles asides at the target: each is deleted, or gets its old name back.</summary>
    public ValueTask RecoverAsync(IReadOnlyList<(string Path, string Aside)> asides, CancellationToken ct) =>
        new AsideRecovery((action, token) => Dispatcher.ControlAsync(action, retry: true, token), _logger).RunAsync(asides, Asides,
            ReportKept, ct);

    private void RecordAside(string path, string aside, bool began)
    {
        if (began)
        {
            Journal?.AsideBegan(path, aside);
            return;
        }
        Journal?.AsideEnded(aside);
        _tally.RemoveKept(aside);
    }

    // The application's own handler failed: that must not pass silently, and going on would only repeat the failure.
    private void OnFault(Exception exception)
    {
        if (!Keep(exception)) return;
        try
        {
            _ = _abort.CancelAsync();
        }
        catch (ObjectDisposedException)
        {
            // The last report of all: there is nothing left to abort.
        }
    }
}
