namespace Transfer.Engine.Files;

/// <summary>
/// The files of one job on their way into the line, back, and out: counted from addition to end, with each change reported to
/// the scheduler.
/// </summary>
internal sealed class JobLine
{
    private readonly ILinePlace _place;
    private readonly Lock _gate; // the scheduler's
    private readonly FileLine _files;
    private readonly JobStanding _standing;
    private readonly Func<JobFile, bool> _isGivenUp;

    /// <param name="place">The job's place at the scheduler of the client.</param>
    /// <param name="files">The files in line.</param>
    /// <param name="standing">Counts the files.</param>
    /// <param name="isGivenUp">Whether a file may not begin, or not begin again.</param>
    public JobLine(ILinePlace place, FileLine files, JobStanding standing, Func<JobFile, bool> isGivenUp)
    {
        _place = place;
        _gate = place.Gate;
        _files = files;
        _standing = standing;
        _isGivenUp = isGivenUp;
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

    /// <summary>Counts a part that a session takes at once.</summary>
    public void AddPartLocked() => CountLocked(1);

    /// <summary>Takes files out of the line that will be dropped.</summary>
    /// <param name="butSegments">Whether segments of files under way stay.</param>
    public JobFile[] TakeAll(bool butSegments)
    {
        lock (_gate)
        {
            var files = _files.TakeAllLocked(butSegments);
            _place.LinedLocked();
            _place.DismissWaitingLocked();
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
            if (hasEnded) CountLocked(-1);
            _place.StartWorkersLocked();
            EndLocked();
        }
    }

    /// <summary>Counts the end of a file that no session had.</summary>
    public void Dropped()
    {
        lock (_gate)
        {
            CountLocked(-1);
            _place.StartWorkersLocked();
            EndLocked();
        }
    }

    /// <summary>Counts the end of a file of several parts; the last part is still being settled.</summary>
    public void WholeEnded()
    {
        lock (_gate)
        {
            CountLocked(-1);
            _place.DismissWaitingLocked();
            EndLocked();
        }
    }

    /// <summary>Marks the end of additions: no more files will come.</summary>
    public void Complete()
    {
        lock (_gate)
        {
            _standing.NoMoreLocked = true;
            _place.DismissWaitingLocked();
            EndLocked();
        }
    }

    /// <summary>Ends the job when all files have ended and no more will come.</summary>
    public void EndLocked()
    {
        if (!_standing.TryEndLocked()) return;
        _place.RemoveLocked();
        _place.DismissWaitingLocked();
    }

    private bool MayWaitLocked(JobFile file) =>
        _standing.DeadLocked is null && !_isGivenUp(file);

    private void LinedLocked(int files)
    {
        _place.LinedLocked();
        _place.SignalMoreLocked(files);
        _place.StartWorkersLocked();
    }

    private void CountLocked(int change)
    {
        _standing.CountLocked(change);
        _place.UnsettledLocked(change);
    }
}
