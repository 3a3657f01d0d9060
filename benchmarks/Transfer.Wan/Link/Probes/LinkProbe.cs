using Transfer.Wan.Records;

namespace Transfer.Wan.Link.Probes;

/// <summary>The self-test of a link: packets of its own over it show what it really gives. Takes one to three seconds.</summary>
internal sealed class LinkProbe(WanLink link)
{
    // Faster links are measured with TCP, which the kernel segments late.
    private const double FastestByDatagrams = 2000;
    private const int LossPackets = 20_000;

    // Not the very last: a busy machine is late now and then, which is not the link's jitter.
    private const double Nearly = 0.95;

    /// <summary>Measures delay, then loss, then rate; both ways at once where it does not disturb.</summary>
    public async Task<LinkShape> MeasureAsync(LinkShape asked)
    {
        var quiet = TimeSpan.FromMilliseconds(300 + asked.RoundTrip);
        var ways = new[] { (From: link.Near, To: link.Far), (From: link.Far, To: link.Near) };

        var delays = await Task.WhenAll(ways.Select(way => DelayProbe.MeasureAsync(way.From, way.To, asked.Jitter, quiet)));
        if (delays.Any(way => way.Count == 0)) throw new InvalidOperationException("The link passes nothing.");
        var jitter = asked.Jitter > 0 ? delays.Max(way => Share(way.Select(delay => Math.Abs(delay - Share(way, 0.5))), Nearly)) : 0;

        var loss = asked.Loss > 0
            ? (await Task.WhenAll(ways.Select(way => LossProbe.MeasureAsync(way.From, way.To, LossPackets, asked.Rate, quiet)))).Average()
            : 0;

        var rates = new List<double>();
        foreach (var (from, to) in ways) rates.Add(await RateAsync(from, to, asked, quiet));
        return new LinkShape
        {
            RoundTrip = Math.Round(delays.Sum(way => asked.Jitter > 0 ? Share(way, 0.5) : way.Min()), 3),
            Rate = Math.Round(rates.Min(), 1),
            Jitter = Math.Round(jitter, 3),
            Loss = Math.Round(loss, 5),
        };
    }

    /// <summary>The value that a share of all does not exceed: 0.5 is the median.</summary>
    private static double Share(IEnumerable<double> values, double share)
    {
        var sorted = values.Order().ToList();
        return sorted[(int)((sorted.Count - 1) * share)];
    }

    private static Task<double> RateAsync(LinkEnd from, LinkEnd to, LinkShape asked, TimeSpan quiet)
    {
        if (asked.Rate is 0 or > FastestByDatagrams)
            return TcpRateProbe.MeasureAsync(from, to, TimeSpan.FromSeconds(1), TimeSpan.FromMilliseconds(asked.RoundTrip));
        var duration = TimeSpan.FromMilliseconds(300 + (40 * asked.Jitter));
        return DatagramRateProbe.MeasureAsync(from, to, asked.Rate, duration, quiet);
    }
}
