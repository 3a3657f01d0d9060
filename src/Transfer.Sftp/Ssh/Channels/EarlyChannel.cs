using Transfer.Sftp.Ssh.Auth;
using Transfer.Sftp.Ssh.Settings;
using Transfer.Sftp.Ssh.Transport;

namespace Transfer.Sftp.Ssh.Channels;

/// <summary>
/// The channel of an <see cref="EarlyUse"/>, which saves three round trips: CHANNEL_OPEN, the request and the first data follow the proof
/// of identity at once. A server reads its messages in order, so the log-in is over when these are read. The channel's number at the
/// server is not known yet (RFC 4254 section 5.1): OpenSSH gives 0 while no other channel is open, and opens the window with the request.
/// Where the proof is not enough, OpenSSH answers each message by UNIMPLEMENTED and continues the log-in.
/// </summary>
internal sealed class EarlyChannel(SshTransport transport, Multiplexer channels, EarlyUse use) : IProofFollower
{
    // OpenSSH's ports to other systems continue with a word here, not with a version.
    private const string OpenSsh = "SSH-2.0-OpenSSH_";

    private OpenChannel? _channel;
    private bool _hasEnded;

    /// <summary>True for servers known to behave so.</summary>
    public static bool IsTakenBy(string serverVersion) =>
        serverVersion.StartsWith(OpenSsh, StringComparison.Ordinal) && serverVersion.Length > OpenSsh.Length
        && char.IsAsciiDigit(serverVersion[OpenSsh.Length]);

    public void Follow()
    {
        if (_hasEnded || _channel is not null) return;
        _channel = channels.OpenEarly(use.Subsystem);
        use.Begin(_channel, transport.ServerVersion);
    }

    public void GiveUp()
    {
        _hasEnded = true;
        if (_channel is not null)
        {
            channels.GiveUpEarly(_channel,
                transport.Failure ?? new TransferConnectionException(TransferError.Lost, "The log-in takes more than one attempt."));
        }
    }
}
