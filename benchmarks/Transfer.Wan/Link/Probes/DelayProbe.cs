using System.Buffers.Binary;
using System.Diagnostics;

namespace Transfer.Wan.Link.Probes;

/// <summary>How long single packets take one way.</summary>
internal static class DelayProbe
{
    private const int Steady = 20;
    private const int Wandering = 150;
    private static readonly TimeSpan Pause = TimeSpan.FromMilliseconds(4);

    /// <summary>Sends packets far apart. Their delays in milliseconds; those that are lost are missing.</summary>
    /// <param name="from">Where they are sent.</param>
    /// <param name="to">Where they come out.</param>
    /// <param name="jitter">The jitter that is to be seen, in milliseconds: it takes more and longer.</param>
    /// <param name="quiet">How long nothing comes when all has come.</param>
    public static async Task<IReadOnlyList<double>> MeasureAsync(LinkEnd from, LinkEnd to, double jitter, TimeSpan quiet)
    {
        using var pair = new DatagramPair(from, to);
        var delays = new List<double>();
        var receiving = pair.ReceiveAsync(
            datagram => delays.Add(Stopwatch.GetElapsedTime(BinaryPrimitives.ReadInt64LittleEndian(datagram)).TotalMilliseconds), quiet);
        var datagram = new byte[32];
        var pause = Pause + TimeSpan.FromMilliseconds(jitter / 2);
        for (var i = 0; i < (jitter > 0 ? Wandering : Steady); i++)
        {
            BinaryPrimitives.WriteInt64LittleEndian(datagram, Stopwatch.GetTimestamp());
            pair.Sender.Send(datagram);
            await Task.Delay(pause);
        }

        await receiving;
        return delays;
    }
}
