using System.Net;
using System.Net.Sockets;
using Transfer.Ftp.Protocol;

namespace Transfer.Tests.Ftp.Protocol;

/// <summary>What a server may have sent that was not read yet.</summary>
public sealed class FlightTests
{
    private static readonly TimeSpan RoundTrip = TimeSpan.FromMilliseconds(100);

    private readonly ManualTime _time = new();

    [Test]
    public void Twice_of_what_came_in_a_round_trip_may_be_under_way()
    {
        var flight = new FlightEstimate(RoundTrip, _time);
        Assert.That(flight.Bytes, Is.Zero);
        flight.Add(1000);
        _time.Advance(RoundTrip / 2);
        flight.Add(500);
        Assert.That(flight.Bytes, Is.EqualTo(3000));
        _time.Advance(RoundTrip);
        flight.Add(100);
        Assert.That(flight.Bytes, Is.EqualTo(3000), "The round trip before counts until this one has brought more.");
        flight.Add(2000);
        Assert.That(flight.Bytes, Is.EqualTo(4200));
    }

    [Test]
    public void After_a_pause_nothing_of_before_is_under_way()
    {
        var flight = new FlightEstimate(RoundTrip, _time);
        flight.Add(1_000_000);
        _time.Advance(RoundTrip * 5);
        flight.Add(10);
        Assert.That(flight.Bytes, Is.EqualTo(20));
    }

    [Test]
    public async Task A_window_ends_where_no_more_is_wanted()
    {
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        using var client = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp) { ReceiveBufferSize = 4 << 20 };
        await client.ConnectAsync(listener.LocalEndpoint);
        using var server = await listener.AcceptSocketAsync();
        var window = new ReceiveWindow(client);
        if (!OperatingSystem.IsLinux())
        {
            Assert.That(window.Most, Is.Null);
            return;
        }
        var slack = (2 * SegmentSize.Of(client)) + (16 << 10);
        var before = window.Most!.Value;
        window.Limit(long.MaxValue / 2, null);
        Assert.That(window.Most, Is.EqualTo(before), "It is never made larger.");
        await server.SendAsync(new byte[1000]);
        while (client.Available < 1000) await Task.Delay(1);

        window.Limit(20_000, null);
        Assert.That(window.Most, Is.EqualTo(Math.Min(before, 19_000 + slack)), "What has arrived is wanted already.");
        window.Limit(0, null);
        Assert.That(window.Most, Is.EqualTo(Math.Min(before, slack)));
    }

    [Test]
    public async Task A_window_keeps_to_a_bound_grows_with_it_and_ends_where_no_more_is_wanted()
    {
        if (!OperatingSystem.IsLinux()) Assert.Ignore("Only Linux lets a program bound a window.");
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        using var client = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp) { ReceiveBufferSize = 1 << 20 };
        await client.ConnectAsync(listener.LocalEndpoint);
        var window = new ReceiveWindow(client);
        var before = window.Most!.Value;

        window.Limit(null, 100_000);
        var bound = window.Most;
        window.Limit(null, 102_000);
        var same = window.Most;
        window.Limit(null, 200_000);
        var grown = window.Most;
        window.Limit(30_000, 200_000);
        var atEnd = window.Most;
        window.Limit(null, null);

        Assert.That((bound, same, grown), Is.EqualTo(((int?)100_000, (int?)100_000, (int?)200_000)), "A small step is not worth a call.");
        Assert.That(atEnd, Is.InRange(30_000, 60_000 + (2 * SegmentSize.Of(client))));
        Assert.That(window.Most, Is.EqualTo(before), "A connection that is alone has its own again.");
    }

    [Test]
    public void A_closed_connection_has_no_window()
    {
        var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        var window = new ReceiveWindow(socket);
        socket.Dispose();
        window.Limit(10, null);
        Assert.That(window.Most, Is.Null);
    }
}
