using Transfer.Batch.Archive.Unpacking;
using Transfer.Batch.Carriers.Link;
using Transfer.Batch.Sealing;

namespace Transfer.Batch.Carriers.Exec;

/// <summary>The channels by which the host's tar brings files into a local folder, and what has come through them.</summary>
internal sealed class TarLanes : IDisposable
{
    private readonly TimeProvider _time;
    private readonly long _started;
    private readonly JobTally _tally = new();
    private readonly UnpackTarget _target;
    private readonly TarDownload _download;
    private readonly IDisposable _sessions;

    /// <param name="shell">The host's shell.</param>
    /// <param name="remote">The remote folder, absolute.</param>
    /// <param name="proof">A folder that SFTP shows.</param>
    /// <param name="local">The folder here.</param>
    /// <param name="unpack">How files are written, with the progress.</param>
    /// <param name="lanes">The number of channels.</param>
    /// <param name="roundTrip">The path's round trip; zero: not known.</param>
    /// <param name="items">Receives the files that have arrived, and those that have not.</param>
    /// <param name="journal">Records the files that have arrived; null: none.</param>
    /// <param name="job">The job.</param>
    /// <param name="time">The clock.</param>
    public TarLanes(HostShell shell, string remote, string proof, string local, BatchUnpackOptions unpack, int lanes, TimeSpan roundTrip,
        BatchItems items, ItemJournal? journal, TransferJobContext job, TimeProvider time)
    {
        (Count, RoundTrip, _time, _started) = (lanes, roundTrip, time, time.GetTimestamp());
        _target = new UnpackTarget(new TargetFolders(LocalPath.Full(local), null), unpack, JobId.New())
        {
            TemporaryNames = journal?.Names ?? new TemporaryNames(),
        };
        var board = new LaneBoard();
        _sessions = job.AddSessions(board.Read);
        _download = new TarDownload(shell, remote, proof, _target, items, _tally, journal, board, unpack.Logger, job.Stopping);
    }

    /// <summary>The number of channels.</summary>
    public int Count { get; }

    /// <summary>The path's round trip; zero: not known.</summary>
    public TimeSpan RoundTrip { get; }

    /// <summary>A line for the files that come next.</summary>
    public PortionLine NewLine() => new(Count);

    /// <inheritdoc cref="TarDownload.RunAsync"/>
    public Task RunAsync(PortionLine line, CancellationToken ct) => _download.RunAsync(line, Count, ct);

    /// <summary>The counts of what has come so far.</summary>
    public JobResult ToResult() => _tally.ToResult(_time.GetElapsedTime(_started), Count);

    public void Dispose()
    {
        _sessions.Dispose();
        _target.Dispose();
    }
}
