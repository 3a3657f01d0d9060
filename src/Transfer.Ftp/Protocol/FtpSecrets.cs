namespace Transfer.Ftp.Protocol;

/// <summary>
/// The secrets that were sent over one control connection. A server that takes the commands of one write for one, or sends a reply too
/// many, repeats a password in the reply to another command.
/// </summary>
internal sealed class FtpSecrets
{
    private volatile string[] _sent = [];
    private volatile bool _areSent;

    /// <summary>Whether a secret was sent: text of the server that is no reply may hold a part of it, and is not to be shown.</summary>
    public bool AreSent => _areSent;

    /// <summary>Notes the secrets of commands before these are sent. One caller at a time.</summary>
    public void Note(IReadOnlyList<FtpCommand> commands)
    {
        foreach (var command in commands)
        {
            if (!command.IsSecret || command.Argument is not { Length: > 0 } secret) continue;
            _sent = [.. _sent, secret];
            _areSent = true;
        }
    }

    /// <summary>Stars every secret out of a text; a short one is starred out of the replies to its own command only.</summary>
    public string Redact(string text) => _sent.Aggregate(text, PrintableText.WithoutSecret);
}
