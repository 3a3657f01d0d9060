using Transfer.Sessions;

namespace Transfer.Engine.Scheduling;

/// <summary>
/// The jobs of one client: all, those with files in line, and those with large files that several sessions move. Called under the
/// scheduler's lock.
/// </summary>
internal sealed class JobBoard<TJob>
    where TJob : class, IScheduledJob
{
    private readonly HashSet<TJob> _jobs = [];
    private readonly List<TJob> _dividing = [];
    private int _sharing;

    /// <summary>The jobs with files in line that are not paused.</summary>
    public JobRing<TJob> Ring { get; } = new();

    /// <summary>The jobs with a large file that several sessions move.</summary>
    public IReadOnlyList<TJob> Dividing => _dividing;

    public bool IsEmpty => _jobs.Count == 0;

    /// <summary>The sum of the sessions that jobs' options name.</summary>
    public int OwnSessions { get; private set; }

    /// <summary>Whether there are jobs with no number of sessions in the options.</summary>
    public bool AnySharing => _sharing > 0;

    /// <summary>Whether there are jobs with files that other sessions wait for.</summary>
    public bool AnyFeeding => _jobs.Any(static job => job.Contents == JobContents.FeedsSessions);

    /// <summary>Whether files may still be put in line.</summary>
    public bool MayGetMore => _jobs.Any(static job => job.MayGetMoreLocked);

    /// <summary>The jobs with files that have not ended.</summary>
    public IEnumerable<TJob> Unsettled => _jobs.Where(static job => job.UnsettledLocked > 0);

    public IReadOnlyCollection<TJob> All => _jobs;

    public void Add(TJob job)
    {
        if (!_jobs.Add(job)) return;
        if (job.OwnSessions is { } own) OwnSessions += own;
        else _sharing++;
    }

    public void Remove(TJob job)
    {
        if (!_jobs.Remove(job)) return;
        Ring.Remove(job);
        _dividing.Remove(job);
        if (job.OwnSessions is { } own) OwnSessions -= own;
        else _sharing--;
    }

    /// <summary>Updates the ring after a change of a job's files in line.</summary>
    public void Lined(TJob job)
    {
        if (job is { WaitingLocked: > 0, IsPausedLocked: false }) Ring.Add(job);
        else Ring.Remove(job);
    }

    /// <summary>Records whether a job has large files that several sessions move.</summary>
    public void Divides(TJob job, bool divides)
    {
        if (!divides) _dividing.Remove(job);
        else if (!_dividing.Contains(job)) _dividing.Add(job);
    }

    /// <summary>The most sessions that a job with no number in the options may have for large files.</summary>
    public int MostForSegments
    {
        get
        {
            var most = 0;
            foreach (var job in _dividing)
            {
                if (job.OwnSessions is null) most = Math.Max(most, job.MostLocked);
            }
            return most;
        }
    }

    /// <summary>The files that will be there for sessions, and their bytes, of jobs with no number of sessions in the options.</summary>
    public (long Files, long Bytes) SharedWork
    {
        get
        {
            var (files, bytes) = (0L, 0L);
            foreach (var job in _jobs)
            {
                if (job.OwnSessions is not null) continue;
                files += job.ExpectedLocked;
                bytes = LengthSum.Add(bytes, job.ExpectedBytesLocked);
            }
            return (files, bytes);
        }
    }

    /// <summary>Returns whether more files than this number wait.</summary>
    public bool IsMoreThan(double files)
    {
        var waiting = 0L;
        foreach (var job in Ring.Jobs)
        {
            waiting += job.WaitingLocked;
            if (waiting > files) return true;
        }
        return false;
    }

    /// <summary>Returns whether there is work, in files or rests of large ones, for more than this number of workers.</summary>
    public bool IsWanted(int workers)
    {
        var wanted = 0;
        foreach (var job in Ring.Jobs)
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

    /// <summary>Returns the number of sessions that will have work, and the direction of that; null: the directions differ.</summary>
    /// <param name="most">The upper bound.</param>
    public (int Sessions, WorkKind? Kind) Expected(int most)
    {
        var (files, kinds) = (0, new HashSet<WorkKind?>());
        foreach (var job in _jobs)
        {
            if (job.ExpectedLocked == 0) continue;
            files += job.ExpectedLocked;
            kinds.Add(job.Direction);
            if (files >= most) break;
        }
        return (Math.Min(files, most), kinds.Count == 1 ? kinds.Single() : null);
    }
}
