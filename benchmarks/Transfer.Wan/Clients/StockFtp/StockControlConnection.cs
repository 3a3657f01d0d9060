using System.Globalization;
using System.Net;
using System.Net.Sockets;
using System.Text;

namespace Transfer.Wan.Clients.StockFtp;

/// <summary>A control connection: commands out, replies in, in order.</summary>
internal sealed class StockControlConnection : IDisposable
{
    private const int LongestReply = 64 * 1024;

    private readonly Socket _socket;
    private readonly byte[] _buffer = new byte[4096];
    private int _start;
    private int _end;

    private StockControlConnection(Socket socket)
    {
        _socket = socket;
        var address = ((IPEndPoint)socket.RemoteEndPoint!).Address;
        ServerAddress = address.IsIPv4MappedToIPv6 ? address.MapToIPv4() : address;
    }

    /// <summary>The server's address; IPv4 as such, also where the socket speaks both.</summary>
    public IPAddress ServerAddress { get; }

    public static async Task<StockControlConnection> ConnectAsync(string host, int port, CancellationToken ct)
    {
        var socket = new Socket(SocketType.Stream, ProtocolType.Tcp);
        try
        {
            await socket.ConnectAsync(host, port, ct);
            return new StockControlConnection(socket);
        }
        catch
        {
            socket.Dispose();
            throw;
        }
    }

    /// <summary>Sends these commands in one write.</summary>
    public async Task SendAsync(IReadOnlyList<string> commands, CancellationToken ct)
    {
        foreach (var command in commands)
        {
            if (command.AsSpan().ContainsAny('\r', '\n', '\0')) throw new StockFtpException("a name with a line end can't be sent");
        }

        ReadOnlyMemory<byte> rest = Encoding.UTF8.GetBytes(string.Concat(commands.Select(command => command + "\r\n")));
        while (!rest.IsEmpty) rest = rest[await _socket.SendAsync(rest, ct)..];
    }

    /// <summary>Reads a reply, of one line or several (RFC 959 4.2).</summary>
    public async Task<StockReply> ReadAsync(CancellationToken ct)
    {
        var line = await ReadLineAsync(LongestReply, ct);
        var left = LongestReply - line.Length;
        if (line.Length < 3
            || !int.TryParse(line.AsSpan(0, 3), NumberStyles.None, CultureInfo.InvariantCulture, out var code) || code is < 100 or > 599)
        {
            throw new StockFtpException($"not an FTP reply: {line}");
        }

        if (line.Length > 3 && line[3] == '-')
        {
            var last = line[..3] + " ";
            do
            {
                line = await ReadLineAsync(left, ct);
                left -= line.Length;
            }
            while (!line.StartsWith(last, StringComparison.Ordinal));
        }

        return new StockReply(code, line.Length > 4 ? line[4..] : string.Empty);
    }

    public void Dispose() => _socket.Dispose();

    private async Task<string> ReadLineAsync(int limit, CancellationToken ct)
    {
        var line = new List<byte>();
        while (true)
        {
            if (_start == _end)
            {
                _start = 0;
                _end = await _socket.ReceiveAsync(_buffer, ct);
                if (_end == 0) throw new StockFtpException("the server has closed the control connection");
            }

            var next = _buffer[_start++];
            if (next == '\n') break;
            if (line.Count >= limit) throw new StockFtpException("a reply of the server does not end");
            line.Add(next);
        }

        if (line is [.., (byte)'\r']) line.RemoveAt(line.Count - 1);
        return Encoding.UTF8.GetString([.. line]);
    }
}
