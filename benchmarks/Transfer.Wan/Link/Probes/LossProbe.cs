namespace Transfer.Wan.Link.Probes;

/// <summary>How many packets of very many do not come out.</summary>
internal static class LossProbe
{
    // 40 bytes on the wire with headers: even on slow links the queue stays short.
    private const int Length = 12;
    private const int WireLength = Length + 28;
    private const int Burst = 100;

    /// <summary>The share of packets that are lost one way.</summary>
    /// <param name="from">Where they are sent.</param>
    /// <param name="to">Where they would come out.</param>
    /// <param name="packets">How many are sent: the error is about the root of those lost.</param>
    /// <param name="rate">The link's rate in Mbit/s, half of which is used at most.</param>
    /// <param name="quiet">How long nothing comes when all has come.</param>
    public static async Task<double> MeasureAsync(LinkEnd from, LinkEnd to, int packets, double rate, TimeSpan quiet)
    {
        using var pair = new DatagramPair(from, to);
        var received = 0;
        var receiving = pair.ReceiveAsync(_ => received++, quiet);
        var datagram = new byte[Length];
        var pause = TimeSpan.FromMilliseconds(Math.Max(1, rate > 0 ? 2 * Burst * WireLength * 8 / (rate * 1000) : 1));
        for (var sent = 0; sent < packets; sent += Burst)
        {
            for (var i = 0; i < Burst; i++) pair.Sender.Send(datagram);
            await Task.Delay(pause);
        }

        await receiving;
        return 1 - ((double)received / packets);
    }
}
