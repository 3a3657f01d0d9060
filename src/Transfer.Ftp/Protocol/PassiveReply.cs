using System.Net;

namespace Transfer.Ftp.Protocol;

internal static class PassiveReply
{
    public static bool TryParseEpsv(FtpReply reply, out int port) => throw new NotImplementedException();

    public static bool TryParsePasv(FtpReply reply, out IPEndPoint endPoint) => throw new NotImplementedException();

    public static IPEndPoint Fix(IPEndPoint announced, IPEndPoint controlPeer) => throw new NotImplementedException();
}
