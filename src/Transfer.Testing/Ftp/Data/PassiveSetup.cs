using System.Net;
using System.Net.Sockets;
using Transfer.Testing.Links;

namespace Transfer.Testing.Ftp.Data;

/// <summary>PASV and EPSV: a listener for one connection. The client may connect and send before the transfer command.</summary>
internal sealed class PassiveSetup : DataSetup
{
    // Below the automatic ports of systems.
    private const int FirstPort = 20000;
    private const int LastPort = 32000;
    private const int MostAttempts = 50;

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
        var listener = Listen(session.Local.Address);
        try
        {
            var link = session.Core.Link?.Listen(new IPEndPoint(session.Options.Address, 0), listener.LocalEndPoint!);
            return new PassiveSetup(listener, link, session.Remote.Address);
        }
        catch
        {
            listener.Dispose();
            throw;
        }
    }

    // After some ten thousand connections in a minute the system's automatic ports are used up for a while. A port requested by number is
    // free at once.
    private static Socket Listen(IPAddress address)
    {
        for (var attempt = 0; ; attempt++)
        {
            var listener = new Socket(address.AddressFamily, SocketType.Stream, ProtocolType.Tcp);
            try
            {
                listener.Bind(new IPEndPoint(address, attempt == 0 ? 0 : Random.Shared.Next(FirstPort, LastPort + 1)));
                listener.Listen();
                return listener;
            }
            catch (SocketException e) when (e.SocketErrorCode == SocketError.AddressAlreadyInUse && attempt < MostAttempts)
            {
                listener.Dispose();
            }
            catch
            {
                listener.Dispose();
                throw;
            }
        }
    }

    public override async ValueTask<Socket> OpenAsync(CancellationToken ct)
    {
        while (true)
        {
            var socket = await _listener.AcceptAsync(ct).ConfigureAwait(false);
            if (((IPEndPoint)socket.RemoteEndPoint!).Address.Equals(_peer)) return socket;

            // A stranger's connection must not take the client's place (RFC 2577 4).
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
