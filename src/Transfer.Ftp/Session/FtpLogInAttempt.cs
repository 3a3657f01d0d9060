using Transfer.Ftp.Protocol;

namespace Transfer.Ftp.Session;

/// <summary>One log-in: its way, and how far it came.</summary>
internal sealed class FtpLogInAttempt
{
    /// <summary>Why the log-in in one write failed: this one sends command by command. Null: as the host's ladder says.</summary>
    public string? Fallen { get; init; }

    /// <summary>Whether the reason may pass: other processes begin with one write again.</summary>
    public bool MayPass { get; init; }

    /// <summary>Whether the server has accepted the password.</summary>
    public bool IsPasswordAccepted { get; private set; }

    /// <summary>Whether the server has refused the password, which then is not sent again.</summary>
    public bool IsPasswordRefused { get; private set; }

    /// <summary>The optional command at which the log-in ended, since the server has not answered; null: none.</summary>
    public string? Unanswered { get; set; }

    /// <summary>Returns another attempt on the same way.</summary>
    public FtpLogInAttempt Again() => new() { Fallen = Fallen, MayPass = MayPass };

    /// <summary>Takes a reply. 421 and the refusals of a command itself (RFC 959 section 4.2.1) are no answer to a password.</summary>
    public void Note(FtpCommand command, FtpReply reply)
    {
        if (!command.Is("PASS") || reply.Code is 421 or (>= 500 and <= 504)) return;
        if (reply.IsSuccess) IsPasswordAccepted = true;
        else IsPasswordRefused = true;
    }
}
