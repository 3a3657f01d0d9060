using System.Diagnostics;
using System.Net;
using System.Net.Sockets;

namespace Transfer.Wan.Link.Probes;

/// <summary>What one TCP connection gets through a link, for links whose rate is none or too high for single datagrams.</summary>
internal static class TcpRateProbe
{
    private static readonly TimeSpan WarmUp = TimeSpan.FromSeconds(0.5);

    /// <summary>The rate one way in Mbit/s of content.</summary>
    /// <param name="from">Where it is sent.</param>
    /// <param name="to">Where it comes out.</param>
    /// <param name="duration">How long is measured, behind half a second and ten round trips in which the window grows.</param>
    /// <param name="roundTrip">The link's round-trip time.</param>
    public static async Task<double> MeasureAsync(LinkEnd from, LinkEnd to, TimeSpan duration, TimeSpan roundTrip)
    {
        using var listener = to.Inside(() => new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp));
        listener.Bind(new IPEndPoint(to.Address, 0));
        listener.Listen();
        using var sender = from.Inside(() => new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp));
        await sender.ConnectAsync(listener.LocalEndPoint!);
        using var receiver = await listener.AcceptAsync();
        var receiving = Task.Factory.StartNew(
            () => Drain(receiver, WarmUp + (10 * roundTrip), duration), CancellationToken.None, TaskCreationOptions.LongRunning,
            TaskScheduler.Default);
        var sending = Task.Factory.StartNew(() => Fill(sender), CancellationToken.None, TaskCreationOptions.LongRunning,
            TaskScheduler.Default);
        var rate = await receiving;
        receiver.Dispose();
        await sending;
        return rate;
    }

    private static void Fill(Socket sender)
    {
        var bytes = new byte[1 << 18];
        try
        {
            while (true) sender.Send(bytes);
        }
        catch (SocketException)
        {
            // The receiver has seen enough and closed.
        }
    }

    private static double Drain(Socket receiver, TimeSpan warmUp, TimeSpan duration)
    {
        var buffer = new byte[1 << 18];
        var start = Stopwatch.GetTimestamp();
        while (Stopwatch.GetElapsedTime(start) < warmUp) receiver.Receive(buffer);
        long bytes = 0;
        start = Stopwatch.GetTimestamp();
        TimeSpan elapsed;
        while ((elapsed = Stopwatch.GetElapsedTime(start)) < duration) bytes += receiver.Receive(buffer);
        return bytes * 8 / 1e6 / elapsed.TotalSeconds;
    }
}
