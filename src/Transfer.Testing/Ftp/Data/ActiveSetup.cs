using System.Net;
using System.Net.Sockets;

namespace Transfer.Testing.Ftp.Data;

/// <summary>PORT and EPRT: the server connects to the client.</summary>
internal sealed class ActiveSetup : DataSetup
{
    private readonly IPEndPoint _target;

    public ActiveSetup(IPEndPoint target) => _target = target;

    public override async ValueTask<Socket> OpenAsync(CancellationToken ct)
    {
        var socket = new Socket(_target.AddressFamily, SocketType.Stream, ProtocolType.Tcp);
        try
        {
            await socket.ConnectAsync(_target, ct).ConfigureAwait(false);
            return socket;
        }
        catch
        {
            socket.Dispose();
            throw;
        }
    }

    public override ValueTask DisposeAsync() => ValueTask.CompletedTask;
}
