using System.Security.Authentication;

namespace Transfer.Ftp.Protocol;

/// <summary>A peer has refused the versions of a handshake's first message.</summary>
internal sealed class TlsVersionException : AuthenticationException
{
    private const byte AlertRecord = 21;
    private const byte HandshakeFailure = 40;
    private const byte ProtocolVersion = 70;

    /// <param name="offered">The versions that were offered.</param>
    /// <param name="cause">The failure of the handshake.</param>
    public TlsVersionException(SslProtocols offered, Exception cause)
        : base(cause.Message, cause) => Offered = offered;

    /// <summary>The versions that were offered.</summary>
    public SslProtocols Offered { get; }

    /// <summary>
    /// Whether bytes are an alert that answers versions (RFC 8446 section 6): in the clear, as the first record. Some servers send
    /// handshake_failure for them, which counts where one version alone was offered.
    /// </summary>
    /// <param name="start">The first bytes that came.</param>
    /// <param name="offered">The versions that were offered.</param>
    public static bool IsAnswer(ReadOnlySpan<byte> start, SslProtocols offered) =>
        start is [AlertRecord, 3, _, 0, 2, _, var alert, ..]
        && (alert == ProtocolVersion || (alert == HandshakeFailure && offered == SslProtocols.Tls12));
}
