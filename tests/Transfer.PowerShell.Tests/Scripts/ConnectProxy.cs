using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Net;
using System.Net.Sockets;
using System.Text;
using System.Threading;
using System.Threading.Tasks;

/// <summary>
/// A proxy for tests: tunnels by HTTP CONNECT (RFC 9110 section 9.3.6), remembers each target with what the client logged in with, and
/// stops carrying bytes on request, as a link without an answer does.
/// </summary>
public sealed class ConnectProxy : IDisposable
{
    private readonly TcpListener _listener = new(IPAddress.Loopback, 0);
    private readonly CancellationTokenSource _end = new();
    private readonly List<TcpClient> _open = new();
    private volatile bool _isStalled;

    public ConnectProxy()
    {
        _listener.Start();
        _ = AcceptAsync();
    }

    public int Port => ((IPEndPoint)_listener.LocalEndpoint).Port;

    public List<string> Seen { get; } = new();

    /// <summary>Connections stay open from now on, and nothing goes through them any more.</summary>
    public void Stall() => _isStalled = true;

    /// <summary>Ends the connections that are open; later ones are accepted.</summary>
    public void Cut()
    {
        lock (_open)
        {
            _open.ForEach(client => client.Dispose());
            _open.Clear();
        }
    }

    public void Dispose()
    {
        _listener.Stop();
        _end.Cancel();
    }

    private async Task AcceptAsync()
    {
        try
        {
            while (true) _ = ServeAsync(await _listener.AcceptTcpClientAsync());
        }
        catch (Exception e) when (e is SocketException or ObjectDisposedException)
        {
            // The test is over.
        }
    }

    private async Task ServeAsync(TcpClient client)
    {
        using var from = client;
        lock (_open) _open.Add(client);
        var head = await ReadHeadAsync(from.GetStream());
        var target = head[0].Split(' ')[1];
        const string LogIn = "Proxy-Authorization:";
        var logIn = head.FirstOrDefault(line => line.StartsWith(LogIn, StringComparison.OrdinalIgnoreCase))?[LogIn.Length..].Trim();
        lock (Seen) Seen.Add($"{target} {logIn}".Trim());
        using var to = new TcpClient();
        var end = IPEndPoint.Parse(target);
        await to.ConnectAsync(end.Address, end.Port);
        await from.GetStream().WriteAsync(Encoding.ASCII.GetBytes("HTTP/1.1 200 OK\r\n\r\n"));
        try
        {
            await Task.WhenAny(RelayAsync(from.GetStream(), to.GetStream()), RelayAsync(to.GetStream(), from.GetStream()));
        }
        catch (Exception e) when (e is IOException or OperationCanceledException)
        {
            // One side has gone, or the test is over.
        }
    }

    private async Task RelayAsync(Stream from, Stream to)
    {
        var buffer = new byte[1 << 16];
        while (await from.ReadAsync(buffer) is > 0 and var read)
        {
            if (_isStalled) await Task.Delay(Timeout.Infinite, _end.Token);
            await to.WriteAsync(buffer.AsMemory(0, read));
        }
    }

    private static async Task<string[]> ReadHeadAsync(Stream stream)
    {
        var head = new StringBuilder();
        var one = new byte[1];
        while (!head.ToString().EndsWith("\r\n\r\n", StringComparison.Ordinal) && await stream.ReadAsync(one) > 0)
            head.Append((char)one[0]);
        return head.ToString().Split("\r\n");
    }
}
