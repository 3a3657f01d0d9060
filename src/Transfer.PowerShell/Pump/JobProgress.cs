using System.Management.Automation;
using Transfer.Companions;

namespace Transfer.PowerShell.Pump;

/// <summary>
/// One progress record for a command, made from the progress of its jobs; at most five a second, since each costs the host time. With
/// lanes, each session that moves content has a record below the command's.
/// </summary>
/// <param name="write">Writes a record, on the pipeline's thread.</param>
/// <param name="activity">The activity of the command, for people.</param>
/// <param name="withLanes">Whether sessions are shown.</param>
internal sealed class JobProgress(Action<ProgressRecord> write, string activity, bool withLanes)
{
    private const int MostLanes = 1000;

    private static readonly TimeSpan Interval = TimeSpan.FromMilliseconds(200);

    // Those of the lanes follow.
    private readonly int _id = Random.Shared.Next(int.MaxValue - MostLanes);
    private long _writtenAt;
    private bool _isShown;
    private int _lanes;

    /// <summary>Shows how far the jobs are, unless something was shown just now.</summary>
    public void Show(IEnumerable<TransferJob> jobs)
    {
        if (_isShown && TimeProvider.System.GetElapsedTime(_writtenAt) < Interval) return;
        var (files, bytes, rate, all) = (0L, 0L, 0.0, (long?)0);
        TimeSpan? left = TimeSpan.Zero;
        foreach (var job in jobs.Select(job => job.Progress))
        {
            (files, bytes, rate) = (files + job.Files, LengthSum.Add(bytes, job.Bytes), rate + job.BytesPerSecond);
            all = LengthSum.Add(all, job.TotalBytes);
            left = left is { } most && job.TimeLeft is { } own ? (own > most ? own : most) : null;
        }
        write(new ProgressRecord(_id, activity, $"{files} files, {Size(bytes)}, {Size(rate)}/s")
        {
            PercentComplete = Percent(bytes, all),
            SecondsRemaining = left is { } time ? (int)Math.Clamp(time.TotalSeconds, 0, int.MaxValue) : -1,
        });
        (_writtenAt, _isShown) = (TimeProvider.System.GetTimestamp(), true);
        if (withLanes) ShowLanes([.. jobs.SelectMany(job => job.Sessions).Take(MostLanes)]);
    }

    /// <summary>Takes the records away.</summary>
    public void End()
    {
        if (!_isShown) return;
        _isShown = false;
        ShowLanes([]);
        write(new ProgressRecord(_id, activity, "Done") { RecordType = ProgressRecordType.Completed });
    }

    private void ShowLanes(TransferLane[] lanes)
    {
        for (var i = 0; i < lanes.Length; i++)
        {
            var (lane, percent) = (lanes[i], Percent(lanes[i].Bytes, lanes[i].TotalBytes));
            write(Lane(i, lane.Path, Size(lane.Bytes), percent, ProgressRecordType.Processing));
        }

        for (var i = lanes.Length; i < _lanes; i++) write(Lane(i, activity, "Done", -1, ProgressRecordType.Completed));
        _lanes = lanes.Length;
    }

    private ProgressRecord Lane(int index, string path, string status, int percent, ProgressRecordType type) =>
        new(_id + 1 + index, path, status) { ParentActivityId = _id, PercentComplete = percent, RecordType = type };

    private static int Percent(long bytes, long? all) => all > 0 ? (int)Math.Clamp(100.0 * bytes / all.Value, 0, 100) : -1;

    private static string Size(double bytes) => bytes switch
    {
        >= 1e9 => $"{bytes / 1e9:0.0} GB",
        >= 1e6 => $"{bytes / 1e6:0.0} MB",
        >= 1e3 => $"{bytes / 1e3:0.0} kB",
        _ => $"{bytes:0} B",
    };
}
