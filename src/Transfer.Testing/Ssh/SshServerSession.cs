using System.Net.Sockets;
using System.Text;
using Transfer.Testing.Faults;

namespace Transfer.Testing.Ssh;

/// <summary>One connection of an SFTP server, from the greeting to the end.</summary>
internal sealed class SshServerSession
{
    private const uint ProtocolError = 2;
    private const uint KeyExchangeFailed = 3;
    private const uint TooManyConnections = 12;

    private readonly SshServerCore _core;
    private readonly Socket _socket;
    private readonly int _number;

    public SshServerSession(SshServerCore core, Socket socket, int number)
    {
        _core = core;
        _socket = socket;
        _number = number;
    }

    /// <summary>Serves the connection to its end; a refused one gets the reason in place of the version line.</summary>
    public async Task RunAsync(bool refused)
    {
        var transport = new ServerTransport(_socket, _core);
        await using var owned = transport.ConfigureAwait(false);
        try
        {
            if (refused)
                await _socket.SendAsync(Encoding.ASCII.GetBytes("Not allowed at this time\r\n"), _core.Stopping).ConfigureAwait(false);
            else await ServeAsync(transport, _core.Stopping).ConfigureAwait(false);
        }
        catch (TransferException e)
        {
            transport.Disconnect(e.Error == TransferError.Unsupported ? KeyExchangeFailed : ProtocolError, e.Message);
        }
        catch (Exception e) when (Connections.Disconnect.IsDisconnect(e))
        {
            // The client or the server has ended the connection.
        }
    }

    /// <summary>Resets the connection now.</summary>
    public void Reset() => _socket.Close(0);

    private async Task ServeAsync(ServerTransport transport, CancellationToken ct)
    {
        await _core.HoldAsync(SftpFaults.Greeting, string.Empty, ct).ConfigureAwait(false);
        if (_core.Rules.Take(FaultStage.Command, SftpFaults.Greeting, string.Empty)?.Action is DropFault drop)
        {
            await transport.DropAsync(drop.Reset).ConfigureAwait(false);
            return;
        }

        await transport.HandshakeAsync(ct).ConfigureAwait(false);
        var user = await new ServerLogIn(_core, transport, _number).RunAsync(ct).ConfigureAwait(false);
        if (!_core.Counts.LogIn(user))
        {
            transport.Disconnect(TooManyConnections, "Too many sessions of this user");
            return;
        }

        try
        {
            await new ServerChannels(_core, transport, _number).RunAsync(ct).ConfigureAwait(false);
        }
        finally
        {
            _core.Counts.LogOut(user);
        }
    }
}
