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

    /// <summary>Those with files in line that are not paused.</summary>
    public JobRing<TJob> Ring { get; } = new();

    /// <summary>Those with a large file that several sessions move.</summary>
    public IReadOnlyList<TJob> Dividing => _dividing;

    public bool IsEmpty => _jobs.Count == 0;

    /// <summary>Sessions that jobs ask for which name a number, together.</summary>
    public int OwnSessions { get; private set; }

    /// <summary>There are jobs that ask for no number.</summary>
    public bool AnySharing => _sharing > 0;

    /// <summary>There are jobs whose files other sessions wait for.</summary>
    public bool AnyFeeding => _jobs.Any(static job => job.Contents == JobContents.FeedsOthers);

    /// <summary>Files may still be put in line.</summary>
    public bool MayGetMore => _jobs.Any(static job => job.MayGetMoreLocked);

    /// <summary>The jobs that have files which have not ended.</summary>
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

    /// <summary>A job's files in line have become more or fewer.</summary>
    public void Lined(TJob job)
    {
        if (job is { WaitingLocked: > 0, IsPausedLocked: false }) Ring.Add(job);
        else Ring.Remove(job);
    }

    /// <summary>A job has large files that several sessions move, or has none any more.</summary>
    public void Divides(TJob job, bool divides)
    {
        if (!divides) _dividing.Remove(job);
        else if (!_dividing.Contains(job)) _dividing.Add(job);
    }

    /// <summary>Most sessions that a job which asks for no number may have for its large files.</summary>
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

    /// <summary>More files than so many wait.</summary>
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

    /// <summary>There are more files, or rests of large ones, than so many workers.</summary>
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

    /// <summary>Sessions that will have something to do, and which way that goes; null: not all goes the same way.</summary>
    /// <param name="most">Never more.</param>
    public (int Sessions, WorkKind? Kind) Expected(int most)
    {
        var (files, kinds) = (0, new HashSet<WorkKind?>());
        foreach (var job in _jobs)
        {
            if (job.ExpectedLocked == 0) continue;
            files += job.ExpectedLocked;
            kinds.Add(job.FilesGo);
            if (files >= most) break;
        }
        return (Math.Min(files, most), kinds.Count == 1 ? kinds.Single() : null);
    }
}
