using System.Diagnostics;

namespace Transfer.Wan.Link.Probes;

/// <summary>
/// What comes out of a link into which more is sent than it takes: its rate, whatever its delay and loss, without TCP's slow start.
/// </summary>
internal static class DatagramRateProbe
{
    private const double Surplus = 1.3;
    private const int Headers = 28;
    private const int Payload = 1400;
    private const int Together = 44;
    private const int UdpLevel = 17;
    private const int SegmentSize = 103;

    // The figure is the median of so many parts: a receiver that the machine holds up sees one long part, and then short ones.
    private const int Parts = 20;

    /// <summary>The rate one way in Mbit/s, with IP and UDP headers.</summary>
    /// <param name="from">Where it is sent.</param>
    /// <param name="to">Where it comes out.</param>
    /// <param name="rate">The rate it should have, in Mbit/s.</param>
    /// <param name="duration">How long it is filled.</param>
    /// <param name="quiet">How long nothing comes when all has come.</param>
    public static async Task<double> MeasureAsync(LinkEnd from, LinkEnd to, double rate, TimeSpan duration, TimeSpan quiet)
    {
        using var pair = new DatagramPair(from, to);
        pair.Sender.SetRawSocketOption(UdpLevel, SegmentSize, BitConverter.GetBytes(Payload));
        var arrivals = new List<long>((int)(rate * 125_000 * Surplus * duration.TotalSeconds / Payload));
        var receiving = pair.ReceiveAsync(_ => arrivals.Add(Stopwatch.GetTimestamp()), quiet);
        await Task.Factory.StartNew(() => Fill(pair, rate, duration), CancellationToken.None, TaskCreationOptions.LongRunning,
            TaskScheduler.Default);
        await receiving;
        return Median(arrivals);
    }

    private static double Median(List<long> arrivals)
    {
        var each = (arrivals.Count - 1) / Parts;
        if (each == 0) return 0;
        var rates = Enumerable.Range(0, Parts)
            .Select(part =>
                each * (Payload + Headers) * 8 / 1e6 / Stopwatch.GetElapsedTime(arrivals[part * each],
                arrivals[(part + 1) * each]).TotalSeconds)
            .Order()
            .ToList();
        return rates[Parts / 2];
    }

    private static void Fill(DatagramPair pair, double rate, TimeSpan duration)
    {
        var bytesPerSecond = rate * 125_000 * Surplus;
        // No more at once than a quarter of the time's bytes, so that slow links are not flooded by the first write.
        var together = (int)Math.Clamp(bytesPerSecond * duration.TotalSeconds / 4 / Payload, 1, Together);
        var datagrams = new byte[Payload * together];
        var start = Stopwatch.GetTimestamp();
        long sent = 0;
        while (true)
        {
            var elapsed = Stopwatch.GetElapsedTime(start);
            if (elapsed >= duration) return;
            if (sent > bytesPerSecond * elapsed.TotalSeconds) Thread.Sleep(1);
            else sent += pair.Sender.Send(datagrams);
        }
    }
}
