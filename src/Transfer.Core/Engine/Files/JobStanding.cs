using Transfer.Engine.Scheduling;

namespace Transfer.Engine.Files;

/// <summary>
/// The state of a job: the files that have not ended, the sessions that have files, and whether sessions can be had. Members named
/// <c>…Locked</c> are called under the scheduler's lock, which the other members take.
/// </summary>
/// <param name="gate">The scheduler's lock.</param>
internal sealed class JobStanding(Lock gate)
{
    private readonly Lock _gate = gate;
    private readonly TaskCompletionSource _completion = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly HashSet<WorkerSource> _runs = []; // sessions' runs that have files of the job, or had them last
    private bool _everRan;
    private int _expected; // files that are on their way
    private long _expectedBytes;
    private int _peak;

    /// <summary>Ends when no more files will come and each has ended.</summary>
    public Task Completion => _completion.Task;

    /// <summary>Why no session can be had any more, or null.</summary>
    public TransferException? NoSessionError
    {
        get { lock (_gate) return DeadLocked; }
    }

    /// <summary>Why there never was a session, so that no file was begun; null: there was one, or one may come.</summary>
    public TransferException? NeverSessionError
    {
        get { lock (_gate) return FatalLocked; }
    }

    /// <summary>Whether there has been a session for the job's files.</summary>
    public bool HasRun
    {
        get { lock (_gate) return _everRan; }
    }

    /// <summary>The most sessions that had files of the job at once.</summary>
    public int PeakSessions
    {
        get { lock (_gate) return _peak; }
    }

    /// <inheritdoc cref="NoSessionError"/>
    public TransferException? DeadLocked { get; private set; }

    /// <inheritdoc cref="NeverSessionError"/>
    public TransferException? FatalLocked => _everRan ? null : DeadLocked;

    /// <summary>Whether no more files will be added.</summary>
    public bool NoMoreLocked { get; set; }

    /// <summary>The number of files that were added and have not ended.</summary>
    public int UnsettledLocked { get; private set; }

    /// <summary>The number of files that are being settled.</summary>
    public int SettlingLocked { get; set; }

    /// <summary>The number of sessions that have files of the job.</summary>
    public int BusyLocked { get; private set; }

    /// <summary>Sessions with a run that took files of the job, and has neither ended nor gone on to other jobs' files.</summary>
    public IReadOnlyCollection<WorkerSource> RunsLocked => _runs;

    /// <summary>Returns the number of files that will be there for sessions, as far as known.</summary>
    /// <param name="waiting">The number of files in line.</param>
    public int ExpectedLocked(int waiting) => NoMoreLocked ? waiting : Math.Max(_expected, waiting);

    /// <summary>Returns the bytes of the files that will be there for sessions, as far as known.</summary>
    /// <param name="waiting">The bytes of the files in line.</param>
    public long ExpectedBytesLocked(long waiting) => NoMoreLocked ? waiting : Math.Max(_expectedBytes, waiting);

    /// <summary>Expects at least this number of files, and of bytes.</summary>
    public void ExpectLocked(int files, long bytes) =>
        (_expected, _expectedBytes) = (Math.Max(_expected, files), Math.Max(_expectedBytes, bytes));

    /// <summary>Counts files that were added, or have ended.</summary>
    public void CountLocked(int change) => UnsettledLocked += change;

    /// <summary>Counts a session that has got files of the job, or has none any more.</summary>
    public void ChangeBusyLocked(int change)
    {
        BusyLocked += change;
        _peak = Math.Max(_peak, BusyLocked);
    }

    /// <summary>Records that sessions are at work that may come to the job's files.</summary>
    public void MayHaveSessionLocked() => _everRan = true;

    /// <summary>Records a session that has files of the job for the first time in a run.</summary>
    public void ServedLocked(WorkerSource run)
    {
        _everRan = true;
        _runs.Add(run);
    }

    /// <summary>Removes a session that has ended a run, or goes on to other jobs' files.</summary>
    public void PartedLocked(WorkerSource run) => _runs.Remove(run);

    /// <summary>Records that no session can be had any more; the first reason counts.</summary>
    public void SetNoSessionLocked(TransferException error) => DeadLocked ??= error;

    /// <summary>Ends the job once no more files will come, each has ended, and no session has any. True: the job ends now.</summary>
    public bool TryEndLocked() => NoMoreLocked && UnsettledLocked == 0 && _runs.Count == 0 && _completion.TrySetResult();
}
