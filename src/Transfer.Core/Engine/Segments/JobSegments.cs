using Transfer.Diagnostics;
using Transfer.Engine.Files;
using Transfer.Engine.Scheduling;
using Transfer.Sessions;

namespace Transfer.Engine.Segments;

/// <summary>
/// The large files of a job that several sessions move together: begun, shared among idle sessions, watched while they run, ended.
/// Members named <c>…Locked</c> are called under the scheduler's lock.
/// </summary>
internal sealed class JobSegments : IDisposable
{
    // The interval of looks: a segment that slows down raises no event.
    private static readonly TimeSpan LookAfter = TimeSpan.FromMilliseconds(100);

    private readonly Scheduler _scheduler;
    private readonly Dispatcher _job;
    private readonly JobContext _context;
    private readonly JobLine _line;
    private readonly SegmentRules _rules;
    private readonly int _most;
    private readonly int _usual;
    private readonly int? _own;
    private readonly List<SegmentedFile> _files = [];
    private ITimer? _lookAfter;

    /// <param name="scheduler">The scheduler of the client.</param>
    /// <param name="job">The job, for the scheduler.</param>
    /// <param name="context">The job, for all other uses.</param>
    /// <param name="line">The line in which the parts wait.</param>
    /// <param name="rules">Decides which files are divided.</param>
    /// <param name="sessions">The most sessions that the job may ever have, and the number of them for a file's beginning.</param>
    /// <param name="own">The number of sessions in the job's options; null: as many as pay.</param>
    public JobSegments(Scheduler scheduler, Dispatcher job, JobContext context, JobLine line, SegmentRules rules,
        (int Most, int Usual) sessions, int? own)
    {
        _scheduler = scheduler;
        _job = job;
        _context = context;
        _line = line;
        _rules = rules;
        (_most, _usual) = sessions;
        _own = own;
    }

    /// <summary>The most sessions that the job may have now: a large file may have more than a job of whole files gets.</summary>
    public int MostLocked => Math.Max(
        _own is { } own ? Math.Min(_most, own) : _scheduler.SharedAllowed, _files.Count > 0 ? Math.Min(_most, MostForSegments) : 0);

    /// <summary>The number of further sessions that would have a part to move.</summary>
    public int RoomLocked
    {
        get
        {
            if (_files.Count == 0) return 0;
            var pool = _context.Pool;
            var (room, opening, isFar, idle) = (0, pool.OpeningTime, pool.IsFar, pool.Idle);
            var fresh = FreshLocked;
            foreach (var whole in _files) room += whole.Room(opening, isFar, idle, fresh);
            return room;
        }
    }

    // The sessions that have come for work and have not asked yet.
    private int FreshLocked => _scheduler.RunsLocked.Count(static run => !run.Asked);

    // Only the limit of segments counts here, not that of sessions.
    private int MostForSegments => _rules.MostSegments ?? (_scheduler.IsRampedForLongLink ? _most : 0);

    /// <summary>Returns the file that a session has taken, or the first part where several sessions are to move the file.</summary>
    public JobFile BeginWhereItPays(JobFile file)
    {
        if (file.Attempts.ContinueAt is not null || !_rules.ContinuesInRanges(file) && !IsDividedNow(file)) return file;
        return Begin(file);
    }

    /// <summary>
    /// Returns a part of a large file under way, for an idle session; null when no part would pay.
    /// </summary>
    public JobFile? ShareLocked()
    {
        foreach (var whole in _files)
        {
            if (whole.Share(_scheduler.ComingLocked, _context.Pool.Idle + FreshLocked) is not { } part) continue;
            _line.AddPartLocked();
            LogBegin(part);
            return part;
        }
        return null;
    }

    /// <summary>Divides the missing bytes of a part, whose session was given up, among all idle sessions.</summary>
    public void DivideAmongIdle(JobFile part)
    {
        lock (_scheduler.Gate)
        {
            if (part.Segment is { } segment) segment.Whole.Divide(segment, _context.Pool.Idle);
        }
    }

    /// <summary>Records the source and the permissions that a session saw while moving a part.</summary>
    public void Learn(SegmentedFile whole, WorkOutcome.Done done)
    {
        lock (_scheduler.Gate)
        {
            whole.Sources.Add(done.Source);
            whole.Mode = done.FinalMode ?? whole.Mode;
        }
    }

    /// <summary>Ends a part. True: the last one.</summary>
    public bool End(JobFile part, FileEnd end)
    {
        var whole = part.Segment!.Whole;
        lock (_scheduler.Gate)
        {
            if (!whole.End(part, end)) return false;
            _files.Remove(whole);
            if (_files.Count == 0) _scheduler.DividesLocked(_job, divides: false);
            return true;
        }
    }

    public void Dispose() => _lookAfter?.Dispose();

    // As long as there are files for all sessions, dividing them only costs round trips.
    private bool IsDividedNow(JobFile file)
    {
        if (!_rules.CanBeDivided(file)) return false;
        lock (_scheduler.Gate) return _most > 1 && !_scheduler.IsMoreThanLocked(MostLocked - 2);
    }

    // The sessions that are there, and those that are being opened for the file, or will be in their turn.
    private int ExpectedLocked(SegmentedFile whole) =>
        Math.Min(MostLocked,
            Math.Max(_context.Pool.Expected, _rules.MostSegments ?? _scheduler.PayingForSegments(whole.Length, _usual)));

    private JobFile Begin(JobFile file)
    {
        var pool = _context.Pool;
        var whole = new SegmentedFile(file, _context.NewTemporaryPath(file, isDivided: true), _rules.MostSegments,
            _context.Time, pool.RoundTrip, _rules.AnnouncesSharedWrites);
        file.Attempts.Count++;
        if (file.Journaled?.Continuation is { } kept) _context.Owner.OnBytesMoved(kept.ArrivedBytes(whole.Length));
        lock (_scheduler.Gate)
        {
            _files.Add(whole);
            _scheduler.DividesLocked(_job, divides: true);
            _lookAfter ??= _context.Time.CreateTimer(static self => ((JobSegments)self!).Look(), this, LookAfter, LookAfter);
            var first = file.Journaled?.Continuation is { } continuation ? whole.Continue(continuation)
                : file.Kind == WorkKind.Upload && !_rules.AnnouncesSharedWrites ? whole.BeginAlone(MostLocked)
                : whole.Begin(ExpectedLocked(whole), pool.IsFar);
            LogBegin(first);
            _line.AddPartLocked();
            _scheduler.StartWorkersLocked();
            return first;
        }
    }

    private void Look()
    {
        List<Action> stalled;
        lock (_scheduler.Gate)
        {
            if (_files.Count == 0) return;
            if (_context.Flow.IsPaused)
            {
                foreach (var run in _scheduler.RunsLocked) run.Touch();
                return;
            }
            foreach (var whole in _files) whole.Look();
            _scheduler.StartWorkersLocked();
            stalled = GiveUpStalledLocked();
        }
        foreach (var giveUp in stalled) giveUp();
    }

    // At most one session is given up for each idle one, and none while idle sessions have other work: until then a begun range is worth
    // waiting for.
    private List<Action> GiveUpStalledLocked()
    {
        var given = new List<Action>();
        var idle = _scheduler.AnyWaitingLocked || _scheduler.ComingLocked > 0 || _context.Flow.IsLimited || RoomLocked > 0
            ? 0 : _context.Pool.Idle;
        foreach (var run in _scheduler.RunsLocked)
        {
            if (given.Count >= idle) break;
            if (run.GiveUpStalled() is { } giveUp) given.Add(giveUp);
        }
        // One slow session at a time: the work of the idle sessions is known only after they have taken the missing bytes.
        if (given.Count == 0 && idle > 0 && _scheduler.RunsLocked.MaxBy(run => run.TimeLeft)?.GiveUpSlow(idle) is { } slow) given.Add(slow);
        return given;
    }

    private void LogBegin(JobFile part) =>
        Log.SegmentBegun(_context.Logger, part.RemotePath, part.Segment!.Start, part.Segment.End, part.Segment.Whole.Open - 1);
}
