namespace Transfer.Sftp;

/// <summary>How the ssh-agent is used, which keeps private keys and signs with them.</summary>
public sealed record SshAgentOptions
{
    /// <summary>Whether it is asked at all.</summary>
    public SshAgentUse Use { get; init; } = SshAgentUse.IfPresent;

    /// <summary>
    /// The agent's Unix socket, or its pipe on Windows. Null: what the environment variable <c>SSH_AUTH_SOCK</c> says, else on Windows the pipe of its own
    /// agent, <c>openssh-ssh-agent</c>.
    /// </summary>
    public string? Path { get; init; }

    /// <summary>How long the agent may take to say which keys it holds.</summary>
    public TimeSpan ListTimeout { get; init; } = TimeSpan.FromSeconds(10);

    /// <summary>How long the agent may take to sign: some ask a person first, or wait for a touch.</summary>
    public TimeSpan SignTimeout { get; init; } = TimeSpan.FromSeconds(60);
}
