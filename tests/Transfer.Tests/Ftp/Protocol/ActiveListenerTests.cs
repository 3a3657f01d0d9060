using System.Net;
using System.Net.Sockets;
using Transfer.Ftp.Protocol;

namespace Transfer.Tests.Ftp.Protocol;

[CancelAfter(30_000)]
internal sealed class ActiveListenerTests
{
    [Test]
    public async Task Open_dials_the_server_and_knows_both_ends_and_the_round_trip(CancellationToken ct)
    {
        await using var s = await LoopbackControl.OpenAsync();
        Assert.That(s.Control.RemoteEndPoint, Is.EqualTo(s.Server.LocalEndPoint));
        Assert.That(s.Control.LocalEndPoint, Is.EqualTo(s.Server.RemoteEndPoint));
        Assert.That(s.Control.RoundTrip, Is.Not.Null);
        await s.Server.SendAsync("220 hello\r\n"u8.ToArray(), ct);
        Assert.That((await s.Control.GreetingAsync(ct)).Text, Is.EqualTo("hello"));
    }

    [Test]
    public async Task A_refused_control_port_is_a_connection_error(CancellationToken ct)
    {
        using var taken = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        taken.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        var settings = new ControlConnectionSettings
        {
            Host = "127.0.0.1",
            Port = ((IPEndPoint)taken.LocalEndPoint!).Port,
            Logger = new LogRecorder()
        };
        await Assert.ThrowsAsync<TransferConnectionException>(async () => await ControlConnection.OpenAsync(settings, ct));
    }

    [Test]
    public async Task The_server_is_told_where_to_connect_and_gets_in(CancellationToken ct)
    {
        await using var s = await LoopbackControl.OpenAsync();
        await using var listener = ActiveListener.Listen(s.Control, new ActiveSettings(), new DataSettings());
        var fields = listener.Command.Argument!.Split('|');
        Assert.That((listener.Command.Verb, fields.Length, fields[1], fields[2]), Is.EqualTo(("EPRT", 5, "1", "127.0.0.1")));
        var port = int.Parse(fields[3], System.Globalization.CultureInfo.InvariantCulture);
        Assert.That(listener.FallbackCommand, Is.EqualTo(new FtpCommand("PORT", $"127,0,0,1,{port / 256},{port % 256}")));

        using var server = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        await server.ConnectAsync(IPAddress.Loopback, port, ct);
        await using var data = await listener.AcceptAsync(ct);
        await server.SendAsync(new byte[7], ct);
        Assert.That(await data.ReadAsync(new byte[10], ct), Is.EqualTo(7));
    }

    [Test]
    [Platform(Include = "Linux", Reason = "Others have no second loopback address by default.")]
    public async Task A_stranger_is_closed_and_the_server_still_gets_in(CancellationToken ct)
    {
        await using var s = await LoopbackControl.OpenAsync();
        await using var listener = ActiveListener.Listen(s.Control, new ActiveSettings(), new DataSettings());
        using var stranger = await ConnectFromAsync("127.0.0.2", listener);
        var accepting = listener.AcceptAsync(ct).AsTask();
        Assert.That(await stranger.ReceiveAsync(new byte[1], ct), Is.Zero);
        Assert.That(s.Log.Lines, Has.Some.Contains("127.0.0.2"));
        using var server = await ConnectFromAsync("127.0.0.1", listener);
        await using var data = await accepting;
        Assert.That(data, Is.Not.Null);
    }

    [Test]
    public async Task A_server_that_never_connects_is_a_timeout(CancellationToken ct)
    {
        await using var s = await LoopbackControl.OpenAsync();
        await using var listener = ActiveListener.Listen(s.Control, new ActiveSettings(), new DataSettings());
        var accepting = listener.AcceptAsync(ct).AsTask();
        s.Clock.Advance(TimeSpan.FromSeconds(61));
        var e = await Assert.ThrowsAsync<TransferException>(() => accepting);
        Assert.That(e!.Error, Is.EqualTo(TransferError.Timeout));
    }

    [Test]
    public async Task Cancellation_is_the_callers()
    {
        await using var s = await LoopbackControl.OpenAsync();
        await using var listener = ActiveListener.Listen(s.Control, new ActiveSettings(), new DataSettings());
        using var cts = new CancellationTokenSource();
        var accepting = listener.AcceptAsync(cts.Token).AsTask();
        await cts.CancelAsync();
        var e = await Assert.CatchAsync<OperationCanceledException>(() => accepting);
        Assert.That(e!.CancellationToken, Is.EqualTo(cts.Token));
    }

    [Test]
    public async Task The_port_range_is_kept_and_a_full_one_is_an_error()
    {
        await using var s = await LoopbackControl.OpenAsync();
        await using var first = ActiveListener.Listen(s.Control, new ActiveSettings(), new DataSettings());
        var port = PortOf(first);
        var full = new ActiveSettings { FirstPort = port, LastPort = port };
        var e = Assert.Throws<TransferException>(() => ActiveListener.Listen(s.Control, full, new DataSettings()));
        Assert.That((e!.Error, e.IsTransient), Is.EqualTo((TransferError.Lost, true)));
        await first.DisposeAsync();
        await using var again = ActiveListener.Listen(s.Control, full, new DataSettings());
        Assert.That(PortOf(again), Is.EqualTo(port));
    }

    [Test]
    public async Task Another_address_can_be_announced_but_not_of_another_family()
    {
        await using var s = await LoopbackControl.OpenAsync();
        await using var listener = ActiveListener.Listen(s.Control,
            new ActiveSettings { AnnouncedAddress = IPAddress.Parse("203.0.113.5") }, new DataSettings());
        Assert.That(listener.Command.Argument, Does.StartWith("|1|203.0.113.5|"));
        var e = Assert.Throws<TransferException>(
            () => ActiveListener.Listen(s.Control, new ActiveSettings { AnnouncedAddress = IPAddress.IPv6Loopback }, new DataSettings()));
        Assert.That(e!.Error, Is.EqualTo(TransferError.Unsupported));
    }

    private static int PortOf(ActiveListener listener) =>
        int.Parse(listener.Command.Argument!.Split('|')[3], System.Globalization.CultureInfo.InvariantCulture);

    private static async Task<Socket> ConnectFromAsync(string address, ActiveListener listener)
    {
        var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        socket.Bind(new IPEndPoint(IPAddress.Parse(address), 0));
        await socket.ConnectAsync(IPAddress.Loopback, PortOf(listener));
        return socket;
    }
}
