using System.Management.Automation;

namespace Transfer.PowerShell.Pump;

/// <summary>
/// One progress record for a command, made from the progress of its jobs; at most five a second, since each costs the host time.
/// </summary>
/// <param name="write">Writes a record, on the pipeline's thread.</param>
/// <param name="activity">The activity of the command, for people.</param>
internal sealed class JobProgress(Action<ProgressRecord> write, string activity)
{
    private static readonly TimeSpan Interval = TimeSpan.FromMilliseconds(200);

    private readonly int _id = Random.Shared.Next();
    private long _writtenAt;
    private bool _isShown;

    /// <summary>Shows how far the jobs are, unless something was shown just now.</summary>
    public void Show(IEnumerable<TransferProgress> jobs)
    {
        if (_isShown && TimeProvider.System.GetElapsedTime(_writtenAt) < Interval) return;
        var (files, bytes, rate, all) = (0L, 0L, 0.0, (long?)0);
        TimeSpan? left = TimeSpan.Zero;
        foreach (var job in jobs)
        {
            (files, bytes, rate, all) = (files + job.Files, bytes + job.Bytes, rate + job.BytesPerSecond, all + job.TotalBytes);
            left = left is { } most && job.TimeLeft is { } own ? (own > most ? own : most) : null;
        }
        write(new ProgressRecord(_id, activity, $"{files} files, {Size(bytes)}, {Size(rate)}/s")
        {
            PercentComplete = all > 0 ? (int)Math.Clamp(100 * bytes / all.Value, 0, 100) : -1,
            SecondsRemaining = left is { } time ? (int)Math.Clamp(time.TotalSeconds, 0, int.MaxValue) : -1,
        });
        (_writtenAt, _isShown) = (TimeProvider.System.GetTimestamp(), true);
    }

    /// <summary>Takes the record away.</summary>
    public void End()
    {
        if (!_isShown) return;
        _isShown = false;
        write(new ProgressRecord(_id, activity, "Done") { RecordType = ProgressRecordType.Completed });
    }

    private static string Size(double bytes) => bytes switch
    {
        >= 1e9 => $"{bytes / 1e9:0.0} GB",
        >= 1e6 => $"{bytes / 1e6:0.0} MB",
        >= 1e3 => $"{bytes / 1e3:0.0} kB",
        _ => $"{bytes:0} B",
    };
}
