namespace Transfer.Cli.Output;

/// <summary>Bytes a second over the last two seconds, by a running total.</summary>
internal sealed class LaneRate(TimeProvider time)
{
    private static readonly TimeSpan Window = TimeSpan.FromSeconds(2);

    private readonly Queue<(long Stamp, long Total)> _samples = new();

    /// <summary>Takes the total as it is now. One that shrank is another session's: it begins anew.</summary>
    public double Add(long total)
    {
        var now = time.GetTimestamp();
        if (_samples.Count > 0 && total < _samples.Last().Total) _samples.Clear();
        _samples.Enqueue((now, total));
        while (_samples.Count > 2 && time.GetElapsedTime(_samples.Peek().Stamp, now) > Window) _samples.Dequeue();
        var (stamp, first) = _samples.Peek();
        var seconds = time.GetElapsedTime(stamp, now).TotalSeconds;
        return seconds > 0 ? (total - first) / seconds : 0;
    }
}
