using System.Net;
using System.Net.Sockets;
using Transfer.Sftp.Keys.Hosts;
using Transfer.Sftp.Ssh.Settings;

namespace Transfer.Sftp.Keys.Config;

/// <summary>The configuration of one host. Null or empty: no setting.</summary>
internal sealed record SshHostConfig
{
    /// <summary>The name or address to connect to; the alias itself without a setting.</summary>
    public required string HostName { get; init; }

    /// <summary>The host's name in files of known hosts, instead of its own name and port.</summary>
    public string? HostKeyAlias { get; init; }

    public string? User { get; init; }

    public int? Port { get; init; }

    /// <summary>Private key files, in order; null without a setting, empty for <c>none</c>.</summary>
    public IReadOnlyList<string>? IdentityFiles { get; init; }

    /// <summary>True when the agent may sign only with the keys of <see cref="IdentityFiles"/>.</summary>
    public bool IdentitiesOnly { get; init; }

    /// <summary>The agent's socket; empty for <c>none</c>, null without a setting.</summary>
    public string? IdentityAgent { get; init; }

    /// <summary>Files of known hosts; null without a setting, empty for <c>none</c>.</summary>
    public IReadOnlyList<string>? UserKnownHostsFiles { get; init; }

    /// <summary>The rules for host keys beyond the files of known hosts.</summary>
    public HostKeyRules HostKeyRules { get; init; } = new();

    /// <summary>Which methods and keys may log in.</summary>
    public LogInRules LogInRules { get; init; } = new();

    /// <summary>The algorithms that are offered.</summary>
    public SshAlgorithms Algorithms { get; init; } = new();

    /// <summary>When keys are replaced.</summary>
    public RekeyLimits Rekey { get; init; } = new();

    /// <summary>Whether no person is prompted (BatchMode).</summary>
    public bool IsBatchMode { get; init; }

    /// <summary>The kind of addresses to connect to.</summary>
    public AddressFamily AddressFamily { get; init; } = AddressFamily.Unspecified;

    /// <summary>The address to connect from, or null.</summary>
    public IPAddress? BindAddress { get; init; }

    /// <summary>
    /// The hosts to go through, first hop first, as <c>[user@]host[:port]</c> or <c>ssh://</c> URLs; empty for none. Each may be an alias.
    /// </summary>
    public IReadOnlyList<string> ProxyJump { get; init; } = [];

    /// <summary>A program to connect through, which this client does not start: the host must be refused, not reached directly.</summary>
    public string? ProxyCommand { get; init; }
}
