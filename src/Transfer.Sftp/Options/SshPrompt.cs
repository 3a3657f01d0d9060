namespace Transfer.Sftp;

/// <summary>One question of the server's.</summary>
public sealed record SshPrompt
{
    /// <summary>The question.</summary>
    public required string Text { get; init; }

    /// <summary>True when the answer may be shown during typing.</summary>
    public required bool Echo { get; init; }
}
