using Transfer.Wan.Records;

namespace Transfer.Wan.Link;

/// <summary>
/// One way of a link, without the link: when a packet that arrives now comes out at the other end, if it does. Times are nanoseconds of any
/// clock.
/// A packet waits for those before it (up to the queue's bytes, else it is dropped), takes its bytes' time at the rate, may be lost there,
/// and is
/// delayed. What is lost took its time, as on a wire behind the bottleneck. Not thread-safe.
/// </summary>
internal sealed class WireSchedule
{
    /// <summary>What <see cref="Admit"/> gives for a packet that does not come out.</summary>
    public const long Lost = -1;

    private const double NanosecondsPerMillisecond = 1e6;

    private readonly double _nanosecondsPerByte;
    private readonly double _queueTime;
    private readonly double _delay;
    private readonly double _loss;
    private readonly WanderingDelay _jitter;
    private readonly Random _random;
    private double _free;
    private long _last;

    /// <param name="shape">The link; its rate 0: unlimited.</param>
    /// <param name="queue">Bytes that wait at most for the wire.</param>
    /// <param name="seed">Same seed and same packets: same losses and delays.</param>
    public WireSchedule(LinkShape shape, long queue, int seed)
    {
        _nanosecondsPerByte = shape.Rate > 0 ? 8000 / shape.Rate : 0;
        _queueTime = queue * _nanosecondsPerByte;
        _delay = shape.RoundTrip / 2 * NanosecondsPerMillisecond;
        _loss = shape.Loss;
        _jitter = new WanderingDelay(shape.Jitter * NanosecondsPerMillisecond, seed);
        _random = new Random(seed);
    }

    /// <summary>Packets that found the queue full.</summary>
    public long Dropped { get; private set; }

    /// <summary>Packets that were lost by chance.</summary>
    public long LostByChance { get; private set; }

    /// <summary>One bandwidth-delay product, and at least 256 KiB: what a well-kept router has.</summary>
    public static long DefaultQueue(LinkShape shape) => Math.Max(256 * 1024, (long)(shape.Rate * 125 * shape.RoundTrip));

    /// <summary>When a packet of that size comes out; <see cref="Lost"/>: never.</summary>
    public long Admit(long now, int bytes)
    {
        var time = bytes * _nanosecondsPerByte;
        var start = Math.Max(_free, now);
        if (_nanosecondsPerByte > 0 && start - now + time > _queueTime)
        {
            Dropped++;
            return Lost;
        }

        _free = start + time;
        if (_loss > 0 && _random.NextDouble() < _loss)
        {
            LostByChance++;
            return Lost;
        }

        _last = Math.Max(_last, (long)(_free + _delay + _jitter.At(_free)));
        return _last;
    }
}
