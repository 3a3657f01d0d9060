using System.Globalization;
using System.Net;
using System.Net.Security;
using System.Net.Sockets;
using System.Security.Authentication;
using System.Text;
using Transfer.Testing;

namespace Transfer.Tests.Testing;

/// <summary>The least that can talk FTP: a socket, lines, and no opinion.</summary>
internal sealed class RawFtp : IAsyncDisposable
{
    public static readonly TimeSpan Patience = TimeSpan.FromSeconds(30);

    private readonly Socket _socket;
    private readonly List<byte> _buffered = [];

    private RawFtp(Socket socket)
    {
        _socket = socket;
        Stream = new NetworkStream(socket, ownsSocket: true);
    }

    public Stream Stream { get; private set; }

    public IPEndPoint Local => (IPEndPoint)_socket.LocalEndPoint!;

    public static async Task<RawFtp> ConnectAsync(FtpTestServer server) => new(await DialAsync(server.EndPoint));

    /// <summary>Connects, reads the greeting, logs in and asks for TYPE I.</summary>
    public static async Task<RawFtp> LogInAsync(FtpTestServer server, string user = "demo")
    {
        var client = await ConnectAsync(server);
        Assert.That(await client.ReplyAsync(), Does.StartWith("220"));
        await client.LogInAsync(user);
        return client;
    }

    public static async Task<Socket> DialAsync(IPEndPoint target)
    {
        var socket = new Socket(target.AddressFamily, SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
        await socket.ConnectAsync(target).WaitAsync(Patience);
        return socket;
    }

    public async Task LogInAsync(string user = "demo")
    {
        Assert.That(await CommandAsync($"USER {user}"), Does.StartWith("331"));
        Assert.That(await CommandAsync("PASS demo"), Does.StartWith("230"));
        Assert.That(await CommandAsync("TYPE I"), Does.StartWith("200"));
    }

    public async Task SendAsync(string text) => await SendAsync(Encoding.UTF8.GetBytes(text));

    public async Task SendAsync(byte[] bytes) => await Stream.WriteAsync(bytes).AsTask().WaitAsync(Patience);

    /// <summary>Sends a command and returns the reply, of which the lines are joined by <c>\n</c>.</summary>
    public async Task<string> CommandAsync(string command)
    {
        await SendAsync(command + "\r\n");
        return await ReplyAsync();
    }

    public async Task<string> ReplyAsync()
    {
        var first = await LineAsync();
        if (first.Length < 4 || first[3] != '-') return first;
        var lines = new StringBuilder(first);
        while (true)
        {
            var line = await LineAsync();
            lines.Append('\n').Append(line);
            if (line.StartsWith(first[..3] + " ", StringComparison.Ordinal)) return lines.ToString();
        }
    }

    /// <summary>True when the server has closed, orderly or not.</summary>
    public async Task<bool> IsClosedAsync()
    {
        try
        {
            return await FillAsync() == 0;
        }
        catch (IOException)
        {
            return true;
        }
    }

    public async Task<IPEndPoint> PassiveAsync()
    {
        var reply = await CommandAsync("EPSV");
        Assert.That(reply, Does.StartWith("229"));
        return PassiveEndPoint(reply);
    }

    public IPEndPoint PassiveEndPoint(string reply) =>
        new(((IPEndPoint)_socket.RemoteEndPoint!).Address, int.Parse(reply.Split("|||")[1].Split('|')[0], CultureInfo.InvariantCulture));

    /// <summary>Receives by a command and returns the content; checks for 150 and the final reply.</summary>
    public async Task<byte[]> ReceiveAsync(string command, string final = "226", Func<Stream, Task<Stream>>? wrap = null)
    {
        using var data = await DialAsync(await PassiveAsync());
        await SendAsync(command + "\r\n");
        Assert.That(await ReplyAsync(), Does.StartWith("150"));
        Stream stream = new NetworkStream(data, ownsSocket: false);
        if (wrap is not null) stream = await wrap(stream);
        var content = await ReadAllAsync(stream);
        Assert.That(await ReplyAsync(), Does.StartWith(final));
        return content;
    }

    public async Task<string[]> LinesAsync(string command) =>
        Encoding.UTF8.GetString(await ReceiveAsync(command)).Split("\r\n", StringSplitOptions.RemoveEmptyEntries);

    /// <summary>Stores by a command; returns the final reply.</summary>
    public async Task<string> StoreAsync(string command, byte[] content, Func<Stream, Task<Stream>>? wrap = null)
    {
        using var data = await DialAsync(await PassiveAsync());
        await SendAsync(command + "\r\n");
        Assert.That(await ReplyAsync(), Does.StartWith("150"));
        Stream stream = new NetworkStream(data, ownsSocket: false);
        if (wrap is not null) stream = await wrap(stream);
        await stream.WriteAsync(content);
        await stream.FlushAsync();
        if (stream is SslStream ssl) await ssl.ShutdownAsync();
        else await stream.DisposeAsync();
        data.Shutdown(SocketShutdown.Send);
        return await ReplyAsync();
    }

    public async Task<SslStream> SecureAsync(string host = "localhost", SslProtocols protocols = SslProtocols.None)
    {
        Assert.That(await CommandAsync("AUTH TLS"), Does.StartWith("234"));
        return await HandshakeAsync(host, protocols);
    }

    public async Task<SslStream> HandshakeAsync(string host = "localhost", SslProtocols protocols = SslProtocols.None)
    {
        var ssl = await HandshakeAsync(Stream, host, protocols);
        Stream = ssl;
        return ssl;
    }

    /// <summary>Goes back to the bare socket, after CCC.</summary>
    public void Unsecure() => Stream = new NetworkStream(_socket, ownsSocket: true);

    public static async Task<SslStream> HandshakeAsync(Stream stream, string host = "localhost", SslProtocols protocols = SslProtocols.None,
        SslClientAuthenticationOptions? options = null)
    {
        var ssl = new SslStream(stream, leaveInnerStreamOpen: true);
        options ??= new SslClientAuthenticationOptions();
        options.TargetHost = host;
        options.EnabledSslProtocols = protocols;
        options.RemoteCertificateValidationCallback = (_, certificate, _, _) => certificate is not null;
        await ssl.AuthenticateAsClientAsync(options).WaitAsync(Patience);
        return ssl;
    }

    public static async Task<byte[]> ReadAllAsync(Stream stream)
    {
        using var content = new MemoryStream();
        await stream.CopyToAsync(content).WaitAsync(Patience);
        return content.ToArray();
    }

    /// <summary>True when a data connection has been closed or reset by the server before it sent anything.</summary>
    public static async Task<bool> IsRefusedAsync(Socket data)
    {
        try
        {
            return await data.ReceiveAsync(new byte[1]).WaitAsync(Patience) == 0;
        }
        catch (SocketException)
        {
            return true;
        }
    }

    /// <summary>Closes with RST.</summary>
    public void Reset() => _socket.Close(0);

    public ValueTask DisposeAsync()
    {
        _socket.Dispose();
        return ValueTask.CompletedTask;
    }

    private async Task<string> LineAsync()
    {
        while (true)
        {
            var end = _buffered.IndexOf((byte)'\n');
            if (end >= 0)
            {
                var line = Encoding.UTF8.GetString([.. _buffered[..end]]);
                _buffered.RemoveRange(0, end + 1);
                Assert.That(line, Does.EndWith("\r"));
                return line[..^1];
            }

            if (await FillAsync() == 0) throw new EndOfStreamException("The server closed the control connection.");
        }
    }

    private async Task<int> FillAsync()
    {
        var chunk = new byte[4096];
        var count = await Stream.ReadAsync(chunk).AsTask().WaitAsync(Patience);
        _buffered.AddRange(chunk.AsSpan(0, count));
        return count;
    }
}
