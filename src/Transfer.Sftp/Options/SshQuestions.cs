namespace Transfer.Sftp;

/// <summary>One round of questions (SSH_MSG_USERAUTH_INFO_REQUEST, RFC 4256 section 3.2), or the question for a password or for a key file's passphrase. Texts are the server's, freed of control characters.</summary>
public sealed record SshQuestions
{
    /// <summary>Who asks: the host, <c>host:port</c> where the port is not the usual one, and through which others it is reached. Empty: nobody there, a key file here is encrypted.</summary>
    public string Server { get; init; } = "";

    /// <summary>Whom the server takes us for; empty where <see cref="Server"/> is.</summary>
    public string UserName { get; init; } = "";

    /// <summary>What it is about; may be empty.</summary>
    public required string Name { get; init; }

    /// <summary>What to tell the user; may be empty.</summary>
    public required string Instruction { get; init; }

    /// <summary>The questions; may be none.</summary>
    public required IReadOnlyList<SshPrompt> Prompts { get; init; }
}
