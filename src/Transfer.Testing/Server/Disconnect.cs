using System.Net.Sockets;
using System.Security.Authentication;

namespace Transfer.Testing.Server;

/// <summary>Tells the end of a connection, by the peer or by ourselves, from defects.</summary>
internal static class Disconnect
{
    public static bool Is(Exception error) => error
        is IOException
        or SocketException
        or ObjectDisposedException
        or OperationCanceledException
        or AuthenticationException
        or ConnectionLostException;
}
