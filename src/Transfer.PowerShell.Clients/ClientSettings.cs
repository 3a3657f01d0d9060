using Transfer.Sftp;

namespace Transfer.PowerShell.Clients;

/// <summary>The server, the way to the server and the credentials, as a cmdlet's parameters give them.</summary>
public sealed record ClientSettings
{
    /// <summary>
    /// The server, and the folder that paths start from: <c>ftp</c>, <c>ftpes</c>, <c>ftps</c>, <c>sftp</c> or <c>file</c>.
    /// </summary>
    public required Uri Uri { get; init; }

    /// <summary>User and password; null: those of the URI, the keys', or nobody's.</summary>
    public TransferCredential? Credential { get; init; }

    /// <summary>Private key files.</summary>
    public IReadOnlyList<string> IdentityFiles { get; init; } = [];

    /// <summary>The passphrase of encrypted key files; null: the files are not encrypted, or the user is prompted.</summary>
    public string? Passphrase { get; init; }

    /// <summary>Fingerprints of the host key, or the certificate, <c>SHA256:…</c>: one of them must be the server's.</summary>
    public IReadOnlyList<string> Pins { get; init; } = [];

    /// <summary>A host key that is not known is accepted, and remembered.</summary>
    public bool AcceptNewHostKey { get; init; }

    /// <summary>The known_hosts file; null: those of OpenSSH.</summary>
    public string? KnownHostsFile { get; init; }

    /// <summary>The options of ssh_config(5) count.</summary>
    public bool UseSshConfig { get; init; }

    /// <summary>
    /// The hosts to go through, each <c>[user@]host[:port]</c>, several with commas between; <c>none</c>: no host, even if the
    /// configuration names one. Empty: those of the configuration.
    /// </summary>
    public IReadOnlyList<string> Jump { get; init; } = [];

    /// <summary>The proxy to go through, <c>http://host:port</c> or <c>socks5://host:port</c>; null: none.</summary>
    public Uri? Proxy { get; init; }

    /// <summary>The log-in at the proxy, where <see cref="Proxy"/> has none.</summary>
    public TransferCredential? ProxyCredential { get; init; }

    /// <summary>Most sessions at once; null: as many as pay.</summary>
    public int? MaxSessions { get; init; }

    /// <summary>After so long without an answer a session is given up; null: 60 s.</summary>
    public TimeSpan? IdleTimeout { get; init; }

    /// <summary>Receives the client's log messages.</summary>
    public required Action<ClientMessage> Log { get; init; }

    /// <summary>Receives the key of an SSH host that no known_hosts file has, before the connection is refused for that reason.</summary>
    public Action<SshHostKey>? OnUnknownHostKey { get; init; }

    /// <summary>
    /// Prompts the user with a server's questions (keyboard-interactive, RFC 4256) and for passphrases, one answer a prompt; null: no user
    /// is present.
    /// </summary>
    public Func<ClientQuestion, IReadOnlyList<string>?>? Ask { get; init; }
}
