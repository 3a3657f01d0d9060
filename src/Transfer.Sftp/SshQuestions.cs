namespace Transfer.Sftp;

/// <summary>One round of questions (SSH_MSG_USERAUTH_INFO_REQUEST, RFC 4256 section 3.2). Texts are the server's, freed of control characters.</summary>
public sealed record SshQuestions
{
    /// <summary>What it is about; may be empty.</summary>
    public required string Name { get; init; }

    /// <summary>What to tell the user; may be empty.</summary>
    public required string Instruction { get; init; }

    /// <summary>The questions; may be none.</summary>
    public required IReadOnlyList<SshPrompt> Prompts { get; init; }
}
