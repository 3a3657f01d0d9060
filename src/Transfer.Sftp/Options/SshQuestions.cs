namespace Transfer.Sftp;

/// <summary>
/// One round of questions (SSH_MSG_USERAUTH_INFO_REQUEST, RFC 4256 section 3.2), or the prompt for a password or a key file's passphrase.
/// Texts are the server's, freed of control characters.
/// </summary>
public sealed record SshQuestions
{
    /// <summary>
    /// The host with the questions: <c>host:port</c> where the port is not the usual one, and the hosts on the route to it. Empty: an
    /// encrypted key file here.
    /// </summary>
    public string Server { get; init; } = "";

    /// <summary>The user name at the server; empty where <see cref="Server"/> is.</summary>
    public string UserName { get; init; } = "";

    /// <summary>The subject of the questions; may be empty.</summary>
    public required string Name { get; init; }

    /// <summary>The instruction for the user; may be empty.</summary>
    public required string Instruction { get; init; }

    /// <summary>The questions; may be none.</summary>
    public required IReadOnlyList<SshPrompt> Prompts { get; init; }
}
