using Transfer.Sftp.Ssh.Auth;
using Transfer.Sftp.Ssh.Settings;
using Transfer.Sftp.Ssh.Transport;

namespace Transfer.Sftp.Ssh.Channels;

/// <summary>
/// The channel of an <see cref="EarlyUse"/>. It saves three round trips: CHANNEL_OPEN, the request and the first data follow the proof of who we are at once. A server reads its
/// messages in order, and when it comes to these the log-in is over; the channel's number there, which nobody may know yet (RFC 4254 section 5.1), is 0 at OpenSSH as long as no other
/// is open, and its window opens with the request. Where the proof is not enough, OpenSSH answers each of them by UNIMPLEMENTED and goes on with the log-in.
/// </summary>
internal sealed class EarlyChannel(SshTransport transport, Multiplexer channels, EarlyUse use) : IProofFollower
{
    // Its ports to other systems go on with a word here, not with a version.
    private const string OpenSsh = "SSH-2.0-OpenSSH_";

    private OpenChannel? _channel;
    private bool _isOver;

    /// <summary>True where all this is known to be so.</summary>
    public static bool IsTakenBy(string serverVersion) =>
        serverVersion.StartsWith(OpenSsh, StringComparison.Ordinal) && serverVersion.Length > OpenSsh.Length && char.IsAsciiDigit(serverVersion[OpenSsh.Length]);

    public void Follow()
    {
        if (_isOver || _channel is not null) return;
        _channel = channels.OpenEarly(use.Subsystem);
        use.Begin(_channel, transport.ServerVersion);
    }

    public void GiveUp()
    {
        _isOver = true;
        if (_channel is not null) channels.GiveUpEarly(_channel, transport.Failure ?? new TransferConnectionException(TransferError.Lost, "The log-in takes more than one attempt."));
    }
}
