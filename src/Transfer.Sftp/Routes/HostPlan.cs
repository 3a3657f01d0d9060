using Transfer.Sftp.Keys.Config;

namespace Transfer.Sftp.Routes;

/// <summary>What is known of one host before it is connected to: options, endpoint and configuration taken together.</summary>
internal sealed record HostPlan
{
    public required string Host { get; init; }

    public required int Port { get; init; }

    public required string User { get; init; }

    /// <summary>The log-in with a password, this host's own; null for none.</summary>
    public TransferCredential? Credential { get; init; }

    public string? HostKeyAlias { get; init; }

    public required SshHostKeyOptions HostKeys { get; init; }

    /// <summary>Private key files to try behind the keys given.</summary>
    public IReadOnlyList<string> IdentityFiles { get; init; } = [];

    /// <summary>The user's known hosts, where <see cref="HostKeys"/> name no files; null: the usual ones.</summary>
    public IReadOnlyList<string>? KnownHostsFiles { get; init; }

    /// <summary>What the configuration says of the host.</summary>
    public required SshHostConfig Said { get; init; }
}
