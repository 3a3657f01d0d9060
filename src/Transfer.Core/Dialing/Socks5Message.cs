using System.Buffers.Binary;
using System.Net.Sockets;
using System.Text;

namespace Transfer.Dialing;

/// <summary>The messages of SOCKS 5 (RFC 1928) and of the log-in by user name and password (RFC 1929).</summary>
internal static class Socks5Message
{
    public const byte Version = 5;
    public const byte NoLogin = 0;
    public const byte PasswordLogin = 2;
    public const byte NoAcceptableMethod = 0xFF;
    public const byte Succeeded = 0;
    public const byte AddressV4 = 1;
    public const byte AddressName = 3;
    public const byte AddressV6 = 4;

    private const byte LoginVersion = 1;
    private const byte Connect = 1;
    private const int MaxField = 255;

    /// <summary>The methods offered (RFC 1928 section 3).</summary>
    public static byte[] CreateGreeting(bool hasLogin) => hasLogin ? [Version, 2, NoLogin, PasswordLogin] : [Version, 1, NoLogin];

    /// <summary>The log-in (RFC 1929 section 2).</summary>
    /// <param name="credential">The log-in, of options that are valid (<see cref="ProxyOptions.Validate"/>).</param>
    public static byte[] CreateLogin(TransferCredential credential)
    {
        var user = Encoding.UTF8.GetBytes(credential.UserName);
        var password = Encoding.UTF8.GetBytes(credential.Password);
        return [LoginVersion, (byte)user.Length, .. user, (byte)password.Length, .. password];
    }

    /// <summary>The request for a connection (RFC 1928 sections 4 and 5): an address as such, a name for the proxy to resolve.</summary>
    /// <exception cref="ArgumentException">The name is longer than 255 bytes.</exception>
    public static byte[] CreateConnect(DialTarget target)
    {
        Span<byte> port = stackalloc byte[2];
        BinaryPrimitives.WriteUInt16BigEndian(port, (ushort)target.Port);
        if (target.Literal is { } address)
        {
            var type = address.AddressFamily == AddressFamily.InterNetworkV6 ? AddressV6 : AddressV4;
            return [Version, Connect, 0, type, .. address.GetAddressBytes(), .. port];
        }
        var name = Encoding.ASCII.GetBytes(target.Host);
        if (name.Length > MaxField) throw new ArgumentException("A SOCKS host name has 255 bytes at most.", nameof(target));
        return [Version, Connect, 0, AddressName, (byte)name.Length, .. name, .. port];
    }

    /// <summary>The meaning of a reply code other than <see cref="Succeeded"/> (RFC 1928 section 6).</summary>
    public static (TransferError Error, string Meaning) Explain(byte reply) => reply switch
    {
        1 => (TransferError.Lost, "reports a general failure"),
        2 => (TransferError.Denied, "does not allow this connection"),
        3 => (TransferError.Lost, "cannot reach the network"),
        4 => (TransferError.Lost, "cannot reach the host"),
        5 => (TransferError.Lost, "was refused by the host"),
        6 => (TransferError.Lost, "gave up: the time to live ran out"),
        7 => (TransferError.Unsupported, "does not support CONNECT"),
        8 => (TransferError.Unsupported, "does not support this kind of address"),
        _ => (TransferError.Protocol, "gave a reply that is not defined"),
    };
}
