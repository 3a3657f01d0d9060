using Transfer.Engine.Scheduling;

namespace Transfer.Engine.Files;

/// <summary>
/// The files of one job on their way into the line, back into it, and out of it: counted from the time they are added until they have
/// ended, and the scheduler knows of each change.
/// </summary>
internal sealed class JobLine
{
    private readonly Scheduler _scheduler;
    private readonly Lock _gate; // the scheduler's
    private readonly Dispatcher _job;
    private readonly FileLine _files;
    private readonly JobStanding _standing;
    private readonly JobContext _context;

    /// <param name="scheduler">The client's.</param>
    /// <param name="job">Whose place in the scheduler's ring the files have.</param>
    /// <param name="files">The files in line.</param>
    /// <param name="standing">Counts them.</param>
    /// <param name="context">Says what is given up.</param>
    public JobLine(Scheduler scheduler, Dispatcher job, FileLine files, JobStanding standing, JobContext context)
    {
        _scheduler = scheduler;
        _gate = scheduler.Gate;
        _job = job;
        _files = files;
        _standing = standing;
        _context = context;
    }

    /// <summary>Waits until there is room in line, or no session for what is in it.</summary>
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

    /// <summary>Counts a new file, and puts it in line. False: none is taken any more.</summary>
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

    /// <summary>Puts a file in front of the line again. False: none is taken any more.</summary>
    /// <param name="file">The file.</param>
    /// <param name="isNews">Sessions that wait for more files have not seen it.</param>
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
    /// Counts the parts of a file that was divided, and puts all but the first, which the caller has, in front of the line.
    /// </summary>
    public void AddPartsLocked(IReadOnlyList<JobFile> parts)
    {
        CountLocked(parts.Count);
        // In their order.
        for (var i = parts.Count - 1; i > 0; i--) _files.AddFirstLocked(parts[i]);
        if (parts.Count > 1) LinedLocked(parts.Count - 1);
        else _scheduler.StartWorkersLocked();
    }

    /// <summary>Counts a part that a session takes at once.</summary>
    public void AddPartLocked() => CountLocked(1);

    /// <summary>Takes files out of the line, which nothing will be done for.</summary>
    /// <param name="butSegments">Not those of files that are under way.</param>
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

    /// <summary>A file is no session's any more, and what it had open is closed.</summary>
    public void LetGo(JobFile file)
    {
        lock (_gate)
        {
            if (!_files.LetGoLocked(file)) return;
        }
        _files.OpenFiles.Return();
    }

    /// <summary>What a session has completed is worked out.</summary>
    /// <param name="hasEnded">The file has ended; false: it goes back into the line.</param>
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

    /// <summary>A file has ended that no session had.</summary>
    public void Dropped()
    {
        lock (_gate)
        {
            CountLocked(-1);
            _scheduler.StartWorkersLocked();
            EndLocked();
        }
    }

    /// <summary>A file of several parts has ended; its last part is still being settled.</summary>
    public void WholeEnded()
    {
        lock (_gate)
        {
            CountLocked(-1);
            _scheduler.DismissWaitingLocked();
            EndLocked();
        }
    }

    /// <summary>Says that no file will be added any more.</summary>
    public void Complete()
    {
        lock (_gate)
        {
            _standing.NoMoreLocked = true;
            _scheduler.DismissWaitingLocked();
            EndLocked();
        }
    }

    /// <summary>Ends the job where nothing is left of it.</summary>
    public void EndLocked()
    {
        if (!_standing.TryEndLocked()) return;
        _scheduler.Part(_job);
        _scheduler.DismissWaitingLocked();
    }

    private bool MayWaitLocked(JobFile file) => _standing.DeadLocked is null && !_context.Abort.IsCancellationRequested && !_context.IsLeftOut(file);

    private void LinedLocked(int files)
    {
        _scheduler.LinedLocked(_job);
        _scheduler.SayMoreLocked(files);
        _scheduler.StartWorkersLocked();
    }

    private void CountLocked(int change)
    {
        _standing.CountLocked(change);
        _scheduler.UnsettledLocked(change);
    }
}
