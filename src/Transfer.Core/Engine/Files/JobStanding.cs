using Transfer.Engine.Scheduling;

namespace Transfer.Engine.Files;

/// <summary>
/// How a job stands: files that have not ended, sessions that are at them, and whether any can be had. What is named <c>…Locked</c> is
/// called under the scheduler's lock, which the others take.
/// </summary>
/// <param name="gate">That lock.</param>
internal sealed class JobStanding(Lock gate)
{
    private readonly Lock _gate = gate;
    private readonly TaskCompletionSource _completion = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly HashSet<WorkerSource> _runs = []; // that have files of the job, or had them last
    private bool _everRan;
    private int _expected; // files that are on their way
    private int _peak;

    /// <summary>Ends when there will be no more files and each has ended.</summary>
    public Task Completion => _completion.Task;

    /// <summary>Why no session can be had any more, or null.</summary>
    public TransferException? Dead
    {
        get { lock (_gate) return DeadLocked; }
    }

    /// <summary>Why there never was a session: nothing was done for any file. Null while that is not so.</summary>
    public TransferException? Fatal
    {
        get { lock (_gate) return FatalLocked; }
    }

    /// <summary>There has been a session for the job's files.</summary>
    public bool HasRun
    {
        get { lock (_gate) return _everRan; }
    }

    /// <summary>Most sessions that were at the job's files at once.</summary>
    public int PeakSessions
    {
        get { lock (_gate) return _peak; }
    }

    /// <inheritdoc cref="Dead"/>
    public TransferException? DeadLocked { get; private set; }

    /// <inheritdoc cref="Fatal"/>
    public TransferException? FatalLocked => _everRan ? null : DeadLocked;

    /// <summary>No file will be added any more.</summary>
    public bool NoMoreLocked { get; set; }

    /// <summary>Files that were added and have not ended.</summary>
    public int UnsettledLocked { get; private set; }

    /// <summary>Files whose ends are being worked at.</summary>
    public int SettlingLocked { get; set; }

    /// <summary>Sessions that have files of the job.</summary>
    public int BusyLocked { get; private set; }

    /// <summary>Sessions whose run has not ended, or not gone on with other jobs' files.</summary>
    public IReadOnlyCollection<WorkerSource> RunsLocked => _runs;

    /// <summary>Files that will be there for sessions, as far as that is known.</summary>
    /// <param name="waiting">Files in line.</param>
    public int ExpectedLocked(int waiting) => NoMoreLocked ? waiting : Math.Max(_expected, waiting);

    /// <summary>So many files at least are on their way.</summary>
    public void ExpectLocked(int files) => _expected = Math.Max(_expected, files);

    /// <summary>Files were added, or have ended.</summary>
    public void CountLocked(int change) => UnsettledLocked += change;

    /// <summary>A session has files of the job, or none any more.</summary>
    public void ChangeBusyLocked(int change)
    {
        BusyLocked += change;
        _peak = Math.Max(_peak, BusyLocked);
    }

    /// <summary>Sessions are at work that may come to the job's files.</summary>
    public void MayHaveSessionLocked() => _everRan = true;

    /// <summary>A session has files of the job for the first time in its run.</summary>
    public void ServedLocked(WorkerSource run)
    {
        _everRan = true;
        _runs.Add(run);
    }

    /// <summary>A session that had files of the job has ended its run, or goes on with other jobs'.</summary>
    public void PartedLocked(WorkerSource run) => _runs.Remove(run);

    /// <summary>No session can be had any more; the first reason counts.</summary>
    public void DieLocked(TransferException error) => DeadLocked ??= error;

    /// <summary>Ends the job once there will be no more files, each has ended, and no session is at them. True: it ends now.</summary>
    public bool TryEndLocked() => NoMoreLocked && UnsettledLocked == 0 && _runs.Count == 0 && _completion.TrySetResult();
}
