namespace Transfer.Ftp.Protocol;

/// <summary>
/// An estimate of the bytes that a sender has under way: twice those received within a round trip, because a sender that has not found the
/// link's limit yet doubles its rate with every round trip (RFC 5681 section 3.1). Not thread-safe.
/// </summary>
internal sealed class FlightEstimate
{
    // For connections behind a proxy: their round trip is unknown.
    private static readonly TimeSpan Usual = TimeSpan.FromMilliseconds(100);

    private readonly TimeProvider _time;
    private readonly TimeSpan _roundTrip;
    private long _began;
    private long _before;
    private long _now;

    public FlightEstimate(TimeSpan? roundTrip, TimeProvider time)
    {
        _roundTrip = roundTrip is { } known && known > TimeSpan.Zero ? known : Usual;
        _time = time;
        _began = time.GetTimestamp();
    }

    /// <summary>The estimate.</summary>
    public long Bytes => 2 * Math.Max(_before, _now);

    /// <summary>Adds bytes received.</summary>
    public void Add(int bytes)
    {
        var elapsed = _time.GetElapsedTime(_began);
        if (elapsed >= _roundTrip)
        {
            // After a pause of a round trip and more, all earlier bytes have arrived.
            _before = elapsed >= 2 * _roundTrip ? 0 : _now;
            _now = 0;
            _began = _time.GetTimestamp();
        }
        _now += bytes;
    }
}
