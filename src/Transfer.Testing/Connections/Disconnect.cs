using System.Net.Security;
using System.Net.Sockets;
using System.Security.Authentication;

namespace Transfer.Testing.Connections;

/// <summary>Distinguishes the end of a connection, by the peer or on this side, from defects.</summary>
internal static class Disconnect
{
    public static bool IsDisconnect(Exception error) => error
        is IOException
        or SocketException
        or ObjectDisposedException
        or OperationCanceledException
        or AuthenticationException
        or ConnectionLostException
        || IsOfOpenSsl(error.GetType());

    // OpenSSL's error for a connection that failed before is an exception of .NET's own (SslStream.ShutdownAsync).
    private static bool IsOfOpenSsl(Type error) => error.Assembly == typeof(SslStream).Assembly && !error.IsVisible;
}
