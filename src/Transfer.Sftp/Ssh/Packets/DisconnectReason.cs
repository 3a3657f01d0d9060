namespace Transfer.Sftp.Ssh.Packets;

/// <summary>The reason codes of SSH_MSG_DISCONNECT that matter here (RFC 4253 section 11.1).</summary>
internal static class DisconnectReason
{
    public const uint ProtocolError = 2;
    public const uint KeyExchangeFailed = 3;
    public const uint HostKeyNotVerifiable = 9;
    public const uint ByApplication = 11;
    public const uint IllegalUserName = 15;
    public const int TooManyConnections = 12;
    public const uint AuthCancelled = 13;
    public const uint NoMoreAuthMethods = 14;

    /// <summary>
    /// The caller's error for a server's reason. After too many failed log-ins (MaxAuthTries) OpenSSH reports a protocol error; only the
    /// text shows the cause.
    /// </summary>
    public static TransferError ErrorOf(uint reason, string text) => reason switch
    {
        ProtocolError when text.Contains("authentication failures", StringComparison.OrdinalIgnoreCase) => TransferError.Auth,
        AuthCancelled or NoMoreAuthMethods or IllegalUserName => TransferError.Auth,
        ProtocolError or KeyExchangeFailed => TransferError.Protocol,
        1 => TransferError.Denied, // host not allowed to connect
        _ => TransferError.Lost,
    };

    /// <summary>The reason to send to the server for an error of the client.</summary>
    public static uint For(TransferError error) => error switch
    {
        TransferError.Protocol => ProtocolError,
        TransferError.Unsupported => KeyExchangeFailed,
        TransferError.HostKey => HostKeyNotVerifiable,
        TransferError.Auth => NoMoreAuthMethods,
        _ => ByApplication,
    };
}
