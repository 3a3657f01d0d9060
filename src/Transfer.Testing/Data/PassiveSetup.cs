using System.Net;
using System.Net.Sockets;
using Transfer.Testing.Links;
using Transfer.Testing.Server;

namespace Transfer.Testing.Data;

/// <summary>PASV and EPSV: a listener for one connection. The client may connect and send before the transfer command comes.</summary>
internal sealed class PassiveSetup : DataSetup
{
    private readonly Socket _listener;
    private readonly LinkListener? _link;
    private readonly IPAddress _peer;

    private PassiveSetup(Socket listener, LinkListener? link, IPAddress peer)
    {
        _listener = listener;
        _link = link;
        _peer = peer;
    }

    /// <summary>The port the client must connect to.</summary>
    public int Port => (_link?.EndPoint ?? (IPEndPoint)_listener.LocalEndPoint!).Port;

    public static PassiveSetup Start(FtpSession session)
    {
        var listener = new Socket(session.Local.AddressFamily, SocketType.Stream, ProtocolType.Tcp);
        try
        {
            listener.Bind(new IPEndPoint(session.Local.Address, 0));
            listener.Listen();
            var link = session.Core.Link?.Listen(new IPEndPoint(session.Options.Address, 0), listener.LocalEndPoint!);
            return new PassiveSetup(listener, link, session.Remote.Address);
        }
        catch
        {
            listener.Dispose();
            throw;
        }
    }

    public override async ValueTask<Socket> OpenAsync(CancellationToken ct)
    {
        while (true)
        {
            var socket = await _listener.AcceptAsync(ct).ConfigureAwait(false);
            if (((IPEndPoint)socket.RemoteEndPoint!).Address.Equals(_peer)) return socket;

            // Someone else's connection must not take the client's place (RFC 2577 4).
            socket.Dispose();
        }
    }

    public override ValueTask DisposeAsync()
    {
        _link?.Dispose();
        _listener.Dispose();
        return ValueTask.CompletedTask;
    }
}
