namespace Transfer.Sftp;

/// <summary>The use of the ssh-agent, which keeps private keys and signs with them.</summary>
public sealed record SshAgentOptions
{
    /// <summary>Whether the agent is used at all.</summary>
    public SshAgentUse Use { get; init; } = SshAgentUse.IfPresent;

    /// <summary>
    /// The agent's Unix socket, or pipe on Windows. Null: the value of the environment variable <c>SSH_AUTH_SOCK</c>, else on Windows
    /// the pipe of the system's agent, <c>openssh-ssh-agent</c>.
    /// </summary>
    public string? Path { get; init; }

    /// <summary>The time-out for the agent's list of keys.</summary>
    public TimeSpan ListTimeout { get; init; } = TimeSpan.FromSeconds(10);

    /// <summary>The time-out for a signature: some agents wait for a person's consent or for a touch.</summary>
    public TimeSpan SignTimeout { get; init; } = TimeSpan.FromSeconds(60);
}
