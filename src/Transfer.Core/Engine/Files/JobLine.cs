using Transfer.Engine.Scheduling;

namespace Transfer.Engine.Files;

/// <summary>
/// The files of one job on their way into the line, back, and out: counted from addition to end, with each change reported to
/// the scheduler.
/// </summary>
internal sealed class JobLine
{
    private readonly Scheduler _scheduler;
    private readonly Lock _gate; // the scheduler's
    private readonly Dispatcher _job;
    private readonly FileLine _files;
    private readonly JobStanding _standing;
    private readonly JobContext _context;

    /// <param name="scheduler">The scheduler of the client.</param>
    /// <param name="job">The job, with the place in the scheduler's ring that the files share.</param>
    /// <param name="files">The files in line.</param>
    /// <param name="standing">Counts the files.</param>
    /// <param name="context">Knows which files are given up.</param>
    public JobLine(Scheduler scheduler, Dispatcher job, FileLine files, JobStanding standing, JobContext context)
    {
        _scheduler = scheduler;
        _gate = scheduler.Gate;
        _job = job;
        _files = files;
        _standing = standing;
        _context = context;
    }

    /// <summary>Waits until there is room in line, or no session can be had for the files in line.</summary>
    /// <exception cref="TransferException">No session could be opened at all.</exception>
    public async ValueTask WhenRoomAsync(CancellationToken ct)
    {
        while (true)
        {
            Task? room;
            lock (_gate)
            {
                if (_standing.FatalLocked is { } fatal) throw fatal;
                room = _standing.DeadLocked is null ? _files.WhenRoomLocked() : null;
            }
            if (room is null) return;
            await room.WaitAsync(ct).ConfigureAwait(false);
        }
    }

    /// <summary>Counts a new file, and puts it in line. False: the line takes no more files.</summary>
    public bool TryAdd(JobFile file)
    {
        lock (_gate)
        {
            CountLocked(1);
            if (!MayWaitLocked(file)) return false;
            _files.AddLocked(file);
            LinedLocked(1);
            return true;
        }
    }

    /// <summary>Puts a file at the front of the line again. False: the line takes no more files.</summary>
    /// <param name="file">The file.</param>
    /// <param name="isNews">Whether sessions that wait for more files have not seen this one.</param>
    public bool TryPutBack(JobFile file, bool isNews = false)
    {
        lock (_gate)
        {
            if (!MayWaitLocked(file)) return false;
            _files.AddFirstLocked(file);
            LinedLocked(isNews ? 1 : 0);
            return true;
        }
    }

    /// <summary>
    /// Counts the parts of a file that was divided, and puts all but the first, which the caller has, at the front of the line.
    /// </summary>
    public void AddPartsLocked(IReadOnlyList<JobFile> parts)
    {
        CountLocked(parts.Count);
        // In file order.
        for (var i = parts.Count - 1; i > 0; i--) _files.AddFirstLocked(parts[i]);
        if (parts.Count > 1) LinedLocked(parts.Count - 1);
        else _scheduler.StartWorkersLocked();
    }

    /// <summary>Counts a part that a session takes at once.</summary>
    public void AddPartLocked() => CountLocked(1);

    /// <summary>Takes files out of the line that will be dropped.</summary>
    /// <param name="butSegments">Whether segments of files under way stay.</param>
    public JobFile[] TakeAll(bool butSegments)
    {
        lock (_gate)
        {
            var files = _files.TakeAllLocked(butSegments);
            _scheduler.LinedLocked(_job);
            _scheduler.DismissWaitingLocked();
            return files;
        }
    }

    /// <summary>Gives back the place of a file among the open files, when no session has the file and the content is closed.</summary>
    public void ReleasePlace(JobFile file)
    {
        lock (_gate)
        {
            if (!_files.ReleasePlaceLocked(file)) return;
        }
        _files.OpenFiles.Return();
    }

    /// <summary>Counts a completed item as settled.</summary>
    /// <param name="hasEnded">Whether the file has ended; false: back into the line.</param>
    public void Settled(bool hasEnded)
    {
        lock (_gate)
        {
            _standing.SettlingLocked--;
            if (hasEnded)
            {
                CountLocked(-1);
                _scheduler.FileEndedLocked();
            }
            _scheduler.StartWorkersLocked();
            EndLocked();
        }
    }

    /// <summary>Counts the end of a file that no session had.</summary>
    public void Dropped()
    {
        lock (_gate)
        {
            CountLocked(-1);
            _scheduler.StartWorkersLocked();
            EndLocked();
        }
    }

    /// <summary>Counts the end of a file of several parts; the last part is still being settled.</summary>
    public void WholeEnded()
    {
        lock (_gate)
        {
            CountLocked(-1);
            _scheduler.DismissWaitingLocked();
            EndLocked();
        }
    }

    /// <summary>Marks the end of additions: no more files will come.</summary>
    public void Complete()
    {
        lock (_gate)
        {
            _standing.NoMoreLocked = true;
            _scheduler.DismissWaitingLocked();
            EndLocked();
        }
    }

    /// <summary>Ends the job when all files have ended and no more will come.</summary>
    public void EndLocked()
    {
        if (!_standing.TryEndLocked()) return;
        _scheduler.Remove(_job);
        _scheduler.DismissWaitingLocked();
    }

    private bool MayWaitLocked(JobFile file) =>
        _standing.DeadLocked is null && !_context.Abort.IsCancellationRequested && !_context.IsLeftOut(file);

    private void LinedLocked(int files)
    {
        _scheduler.LinedLocked(_job);
        _scheduler.SignalMoreLocked(files);
        _scheduler.StartWorkersLocked();
    }

    private void CountLocked(int change)
    {
        _standing.CountLocked(change);
        _scheduler.UnsettledLocked(change);
    }
}
