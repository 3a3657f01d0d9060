using Transfer.Sftp.Keys.Config;

namespace Transfer.Sftp.Routes;

/// <summary>The settings of one host before a connection to it: options, endpoint and configuration taken together.</summary>
internal sealed record HostPlan
{
    public required string Host { get; init; }

    public required int Port { get; init; }

    public required string User { get; init; }

    /// <summary>The host's own log-in with a password; null for none.</summary>
    public TransferCredential? Credential { get; init; }

    public string? HostKeyAlias { get; init; }

    public required SshHostKeyOptions HostKeys { get; init; }

    /// <summary>The private key files to try after the keys of the options.</summary>
    public IReadOnlyList<string> IdentityFiles { get; init; } = [];

    /// <summary>The user's known hosts, where <see cref="HostKeys"/> name no files; null: the usual ones.</summary>
    public IReadOnlyList<string>? KnownHostsFiles { get; init; }

    /// <summary>The configuration's settings for the host.</summary>
    public required SshHostConfig Config { get; init; }
}
