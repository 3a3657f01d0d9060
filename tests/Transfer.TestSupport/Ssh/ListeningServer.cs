using System.Net;
using System.Net.Sockets;

namespace Transfer.TestSupport.Ssh;

/// <summary>A scripted SSH server behind a port of this machine, for one connection.</summary>
internal sealed class ListeningServer : IDisposable
{
    private readonly TcpListener _listener = new(IPAddress.Loopback, 0);

    public ListeningServer()
    {
        _listener.Start();
        _ = CarryAsync();
    }

    public ScriptedServer Script { get; } = new();

    public int Port => ((IPEndPoint)_listener.LocalEndpoint).Port;

    public string Url => $"sftp://me@127.0.0.1:{Port}/";

    public void Dispose()
    {
        _listener.Dispose();
        Script.Dispose();
    }

    private async Task CarryAsync()
    {
        try
        {
            using var client = await _listener.AcceptTcpClientAsync();
            var stream = client.GetStream();
            await await Task.WhenAny(stream.CopyToAsync(Script.Client), Script.Client.CopyToAsync(stream));
        }
        catch (Exception e) when (e is IOException or SocketException or ObjectDisposedException)
        {
            // The client closed or reset the connection, or the test is over.
        }
        finally
        {
            // The script hears of the end, also of one without a goodbye.
            await Script.Client.DisposeAsync();
        }
    }
}
