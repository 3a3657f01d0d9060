using System.Net;
using System.Net.Sockets;

namespace Transfer.Benchmarks.Responder;

/// <summary>An SSH server on loopback for one connection with one SFTP channel.</summary>
internal sealed class SshResponder : IAsyncDisposable
{
    private readonly Socket _listener = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
    private readonly Task _serving;

    public SshResponder()
    {
        _listener.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        _listener.Listen();
        Port = ((IPEndPoint)_listener.LocalEndPoint!).Port;
        _serving = Task.Run(ServeAsync);
    }

    public int Port { get; }

    /// <summary>Waits until the client has gone.</summary>
    public async ValueTask DisposeAsync()
    {
        _listener.Dispose();
        await _serving;
    }

    private async Task ServeAsync()
    {
        using var socket = await _listener.AcceptAsync();
        socket.NoDelay = true;
        await using var stream = new NetworkStream(socket);
        using var wire = new SshWire(stream);
        try
        {
            await new SftpResponder(wire, await SshHandshake.RunAsync(wire)).RunAsync();
        }
        catch (IOException)
        {
            // The client does not wait for the end of what it has asked for.
        }
    }
}
