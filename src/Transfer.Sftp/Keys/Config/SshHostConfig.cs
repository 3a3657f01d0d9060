using System.Net;
using System.Net.Sockets;
using Transfer.Sftp.Keys.Hosts;
using Transfer.Sftp.Ssh.Settings;

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

    /// <summary>The agent's socket; empty for <c>none</c>, null when nothing is said.</summary>
    public string? IdentityAgent { get; init; }

    /// <summary>Files of known hosts; null when nothing is said, empty for <c>none</c>.</summary>
    public IReadOnlyList<string>? UserKnownHostsFiles { get; init; }

    /// <summary>Which host keys are taken beyond what files of known hosts say.</summary>
    public HostKeyRules HostKeyRules { get; init; } = new();

    /// <summary>Which methods and keys may log in.</summary>
    public LogInRules LogInRules { get; init; } = new();

    /// <summary>The algorithms that are offered.</summary>
    public SshAlgorithms Algorithms { get; init; } = new();

    /// <summary>When keys are replaced.</summary>
    public RekeyLimits Rekey { get; init; } = new();

    /// <summary>Nobody is asked anything (BatchMode).</summary>
    public bool AsksNobody { get; init; }

    /// <summary>The kind of addresses to connect to.</summary>
    public AddressFamily AddressFamily { get; init; } = AddressFamily.Unspecified;

    /// <summary>The address to connect from, or null.</summary>
    public IPAddress? BindAddress { get; init; }

    /// <summary>The hosts to go through, first hop first, as <c>[user@]host[:port]</c> or <c>ssh://</c> URLs; empty for none. Each may be an alias itself.</summary>
    public IReadOnlyList<string> ProxyJump { get; init; } = [];

    /// <summary>A program to connect through, which this client does not start: whoever gets one must refuse rather than go around it.</summary>
    public string? ProxyCommand { get; init; }
}
