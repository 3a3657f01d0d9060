using System.Security.Authentication;

namespace Transfer.Ftp.Protocol;

/// <summary>This side has refused the server's certificate, so that no reply of the server says more.</summary>
internal sealed class CertificateRefusedException(Exception cause) : AuthenticationException(cause.Message, cause);
