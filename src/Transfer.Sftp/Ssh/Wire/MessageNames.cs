namespace Transfer.Sftp.Ssh.Wire;

/// <summary>The names of messages in RFC 4250 section 4.1.2, for the log.</summary>
internal static class MessageNames
{
    /// <summary>
    /// Whether a message is logged: the messages that carry an upper layer's data, and make room for data, are not. They would hide the
    /// others, and SFTP logs its own packets.
    /// </summary>
    public static bool IsLogged(byte number) =>
        number is not (MessageNumber.ChannelData or MessageNumber.ChannelExtendedData or MessageNumber.ChannelWindowAdjust);

    public static string Of(byte number) => number switch
    {
        MessageNumber.Disconnect => "SSH_MSG_DISCONNECT",
        MessageNumber.Ignore => "SSH_MSG_IGNORE",
        MessageNumber.Unimplemented => "SSH_MSG_UNIMPLEMENTED",
        MessageNumber.Debug => "SSH_MSG_DEBUG",
        MessageNumber.ServiceRequest => "SSH_MSG_SERVICE_REQUEST",
        MessageNumber.ServiceAccept => "SSH_MSG_SERVICE_ACCEPT",
        MessageNumber.ExtensionInfo => "SSH_MSG_EXT_INFO",
        MessageNumber.KexInit => "SSH_MSG_KEXINIT",
        MessageNumber.NewKeys => "SSH_MSG_NEWKEYS",
        MessageNumber.AuthRequest => "SSH_MSG_USERAUTH_REQUEST",
        MessageNumber.AuthFailure => "SSH_MSG_USERAUTH_FAILURE",
        MessageNumber.AuthSuccess => "SSH_MSG_USERAUTH_SUCCESS",
        MessageNumber.AuthBanner => "SSH_MSG_USERAUTH_BANNER",
        MessageNumber.GlobalRequest => "SSH_MSG_GLOBAL_REQUEST",
        MessageNumber.RequestSuccess => "SSH_MSG_REQUEST_SUCCESS",
        MessageNumber.RequestFailure => "SSH_MSG_REQUEST_FAILURE",
        MessageNumber.ChannelOpen => "SSH_MSG_CHANNEL_OPEN",
        MessageNumber.ChannelOpenConfirmation => "SSH_MSG_CHANNEL_OPEN_CONFIRMATION",
        MessageNumber.ChannelOpenFailure => "SSH_MSG_CHANNEL_OPEN_FAILURE",
        MessageNumber.ChannelEof => "SSH_MSG_CHANNEL_EOF",
        MessageNumber.ChannelClose => "SSH_MSG_CHANNEL_CLOSE",
        MessageNumber.ChannelRequest => "SSH_MSG_CHANNEL_REQUEST",
        MessageNumber.ChannelSuccess => "SSH_MSG_CHANNEL_SUCCESS",
        MessageNumber.ChannelFailure => "SSH_MSG_CHANNEL_FAILURE",
        // The meaning of these depends on the method.
        >= MessageNumber.KexClientValue and <= MessageNumber.LastKex => $"key exchange message {number}",
        >= MessageNumber.AuthMethodReply and < MessageNumber.GlobalRequest => $"authentication message {number}",
        _ => $"message {number}",
    };
}
