namespace Transfer.Sftp.Keys.Config;

/// <summary>What the configuration says about one host. Null or empty: nothing.</summary>
internal sealed record SshHostConfig
{
    /// <summary>The name or address to connect to; the alias itself when nothing is said.</summary>
    public required string HostName { get; init; }

    /// <summary>The name that files of known hosts have for it, instead of its own and the port.</summary>
    public string? HostKeyAlias { get; init; }

    public string? User { get; init; }

    public int? Port { get; init; }

    /// <summary>Private key files, in order; null when nothing is said, empty for <c>none</c>.</summary>
    public IReadOnlyList<string>? IdentityFiles { get; init; }

    /// <summary>True when the agent may sign only with the keys of <see cref="IdentityFiles"/>.</summary>
    public bool IdentitiesOnly { get; init; }

    /// <summary>Files of known hosts; null when nothing is said, empty for <c>none</c>.</summary>
    public IReadOnlyList<string>? UserKnownHostsFiles { get; init; }

    /// <summary>The hosts to go through, first hop first, as <c>[user@]host[:port]</c> or <c>ssh://</c> URLs; empty for none. Each may be an alias itself.</summary>
    public IReadOnlyList<string> ProxyJump { get; init; } = [];

    /// <summary>A program to connect through, which this client does not start: whoever gets one must refuse rather than go around it.</summary>
    public string? ProxyCommand { get; init; }
}
