using System.Net.Sockets;
using Renci.SshNet.Common;

namespace Transfer.SshNet.Session;

/// <summary>Maps SSH.NET's exceptions. Status codes and types decide; texts become part of the message only.</summary>
internal static class SshNetErrors
{
    // Servers of version 3 send codes of later versions too (draft-ietf-secsh-filexfer-13 section 9.1).
    private const int NoSuchPath = 10;
    private const int FileAlreadyExists = 11;
    private const int WriteProtected = 12;
    private const int NoSpace = 14;
    private const int QuotaExceeded = 15;

    /// <summary>Returns the error for an exception.</summary>
    /// <param name="exception">SSH.NET's exception.</param>
    /// <param name="request">The request's description for the message: <c>Cannot read</c>.</param>
    /// <param name="path">The path concerned, or null.</param>
    public static TransferException Map(Exception exception, string request, string? path)
    {
        var message = path is null ? $"{request}: {exception.Message}" : $"{request} {path}: {exception.Message}";
        return exception switch
        {
            TransferException transfer => transfer,
            SftpException { StatusCode: var status } when OfStatus((int)status) is var error =>
                error == TransferError.Lost
                    ? new TransferConnectionException(error, message, exception) : Refusal(error, message, exception, path, (int)status),
            SshAuthenticationException or SshPassPhraseNullOrEmptyException =>
                new TransferException(TransferError.Auth, message, exception),
            SshOperationTimeoutException => new TransferConnectionException(TransferError.Timeout, message, exception),
            SshException or ProxyException or SocketException or ObjectDisposedException or IOException =>
                new TransferConnectionException(TransferError.Lost, message, exception),
            NotSupportedException or ArgumentException =>
                new TransferException(TransferError.Unsupported, message, exception) { RemotePath = path },
            // After an unforeseen exception SSH.NET's state is unreliable.
            _ => new TransferConnectionException(TransferError.Protocol, message, exception),
        };
    }

    private static TransferException Refusal(TransferError error, string message, Exception exception, string? path, int status) =>
        new(error, message, exception) { RemotePath = path, ServerCode = status, IsTransient = false };

    /// <summary>The kind that a status code stands for.</summary>
    public static TransferError OfStatus(int status) => status switch
    {
        2 or NoSuchPath => TransferError.NotFound,
        3 or WriteProtected => TransferError.Denied,
        FileAlreadyExists => TransferError.Exists,
        NoSpace or QuotaExceeded => TransferError.Quota,
        8 => TransferError.Unsupported,
        6 or 7 => TransferError.Lost,
        0 or 1 or 5 => TransferError.Protocol,
        _ => TransferError.Denied,
    };
}
