using System.Buffers.Binary;
using System.Net;
using System.Net.Sockets;
using System.Text;

namespace Transfer.PowerShell.Tests;

/// <summary>A SOCKS proxy without a log-in (RFC 1928), which connects to where it is asked.</summary>
internal sealed class SocksProxy : IAsyncDisposable
{
    private readonly TcpListener _listener = new(IPAddress.Loopback, 0);
    private readonly CancellationTokenSource _end = new();
    private readonly Task _accepting;

    public SocksProxy()
    {
        _listener.Start();
        _accepting = AcceptAsync();
    }

    public Uri Uri => new($"socks5://{_listener.LocalEndpoint}");

    public async ValueTask DisposeAsync()
    {
        await _end.CancelAsync();
        _listener.Stop();
        await _accepting.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        _end.Dispose();
    }

    private async Task AcceptAsync()
    {
        while (true) _ = RelayAsync(await _listener.AcceptTcpClientAsync(_end.Token));
    }

    private async Task RelayAsync(TcpClient client)
    {
        using var near = client;
        using var far = new TcpClient();
        var stream = near.GetStream();
        var head = new byte[2];
        await stream.ReadExactlyAsync(head, _end.Token);
        await stream.ReadExactlyAsync(new byte[head[1]], _end.Token);
        await stream.WriteAsync(new byte[] { 5, 0 }, _end.Token);
        var request = new byte[4];
        await stream.ReadExactlyAsync(request, _end.Token);
        var length = request[3] switch { 1 => 4, 4 => 16, _ => await ByteAsync(stream) };
        var address = new byte[length + 2];
        await stream.ReadExactlyAsync(address, _end.Token);
        var host = request[3] == 3 ? Encoding.ASCII.GetString(address, 0, length) : new IPAddress(address.AsSpan(0, length)).ToString();
        await far.ConnectAsync(host, BinaryPrimitives.ReadUInt16BigEndian(address.AsSpan(length)), _end.Token);
        await stream.WriteAsync(new byte[] { 5, 0, 0, 1, 0, 0, 0, 0, 0, 0 }, _end.Token);
        await Task.WhenAny(stream.CopyToAsync(far.GetStream(), _end.Token), far.GetStream().CopyToAsync(stream, _end.Token));
    }

    private async Task<int> ByteAsync(NetworkStream stream)
    {
        var one = new byte[1];
        await stream.ReadExactlyAsync(one, _end.Token);
        return one[0];
    }
}
