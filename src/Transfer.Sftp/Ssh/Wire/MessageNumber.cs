namespace Transfer.Sftp.Ssh.Wire;

/// <summary>The message numbers of RFC 4250 section 4.1.2, RFC 5656 section 7.1 and RFC 8308 section 2.3.</summary>
internal static class MessageNumber
{
    public const byte Disconnect = 1;
    public const byte Ignore = 2;
    public const byte Unimplemented = 3;
    public const byte Debug = 4;
    public const byte ServiceRequest = 5;
    public const byte ServiceAccept = 6;
    public const byte ExtensionInfo = 7;

    public const byte KexInit = 20;
    public const byte NewKeys = 21;
    public const byte KexClientValue = 30;
    public const byte KexServerValue = 31;
    public const byte LastKex = 49;

    public const byte AuthRequest = 50;
    public const byte AuthFailure = 51;
    public const byte AuthSuccess = 52;
    public const byte AuthBanner = 53;

    /// <summary>60 to 79 belong to the method: here PK_OK, PASSWD_CHANGEREQ and INFO_REQUEST.</summary>
    public const byte AuthMethodReply = 60;
    public const byte AuthInfoResponse = 61;

    public const byte GlobalRequest = 80;
    public const byte RequestSuccess = 81;
    public const byte RequestFailure = 82;
    public const byte ChannelOpen = 90;
    public const byte ChannelOpenConfirmation = 91;
    public const byte ChannelOpenFailure = 92;
    public const byte ChannelWindowAdjust = 93;
    public const byte ChannelData = 94;
    public const byte ChannelExtendedData = 95;
    public const byte ChannelEof = 96;
    public const byte ChannelClose = 97;
    public const byte ChannelRequest = 98;
    public const byte ChannelSuccess = 99;
    public const byte ChannelFailure = 100;
}
