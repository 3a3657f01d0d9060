using System.Net;

namespace Transfer.Testing;

/// <summary>How an <see cref="SftpTestServer"/> behaves.</summary>
public sealed record SftpTestServerOptions
{
    /// <summary>The loopback address to listen at: of 127.0.0.0/8, or ::1. Others are refused: test servers belong on no network.</summary>
    public IPAddress Address { get; init; } = IPAddress.Loopback;

    /// <summary>The port; 0 takes a free one.</summary>
    public int Port { get; init; }

    /// <summary>Names and passwords. An empty password accepts any. By default <c>demo</c> with <c>demo</c>.</summary>
    public IReadOnlyDictionary<string, string> Users { get; init; } =
        new Dictionary<string, string>(StringComparer.Ordinal) { ["demo"] = "demo" };

    /// <summary>
    /// Public keys that log in every one of <see cref="Users"/>: lines as in <c>authorized_keys</c>, such as <see
    /// cref="SftpTestKey.PublicKey"/>.
    /// </summary>
    public IReadOnlyList<string> AuthorizedKeys { get; init; } = [];

    /// <summary>The ways to log in that are offered.</summary>
    public SftpTestMethods Methods { get; init; } = SftpTestMethods.All;

    /// <summary>
    /// A log-in takes every one of <see cref="Methods"/>, in any order; each before the last is answered "partial success" (RFC 4252
    /// section 5.1).
    /// </summary>
    public bool RequireEveryMethod { get; init; }

    /// <summary>The questions of <c>keyboard-interactive</c>. By default one, for the user's password.</summary>
    public IReadOnlyList<SftpTestQuestion> Questions { get; init; } = [new("Password: ")];

    /// <summary>The refused attempts that end a connection, as OpenSSH's <c>MaxAuthTries</c>.</summary>
    public int MaxLogInAttempts { get; init; } = 6;

    /// <summary>A text for the user before the log-in (RFC 4252 section 5.4), or null.</summary>
    public string? Banner { get; init; }

    /// <summary>The server's keys. The server does not dispose of them. None: one Ed25519 key is made.</summary>
    public IReadOnlyList<SftpTestKey> HostKeys { get; init; } = [];

    /// <summary>The version line (RFC 4253 section 4.2), without the line end. Some clients adapt to the version.</summary>
    public string Version { get; init; } = "SSH-2.0-Transfer.Testing";

    /// <summary>
    /// Key exchange methods, best first. None: mlkem768x25519-sha256, curve25519-sha256 and its older name, ecdh-sha2-nistp256/384/521,
    /// diffie-hellman-group16-sha512, diffie-hellman-group14-sha256.
    /// </summary>
    public IReadOnlyList<string> KeyExchanges { get; init; } = [];

    /// <summary>Ciphers, best first. None: aes128/256-gcm@openssh.com, aes128/192/256-ctr, chacha20-poly1305@openssh.com.</summary>
    public IReadOnlyList<string> Ciphers { get; init; } = [];

    /// <summary>MACs, best first. None: hmac-sha2-256/512-etm@openssh.com, hmac-sha2-256/512.</summary>
    public IReadOnlyList<string> Macs { get; init; } = [];

    /// <summary>The bytes of one direction after which the server exchanges new keys. Null: never on the server's initiative.</summary>
    public long? RekeyAfterBytes { get; init; }

    /// <summary>The files. Null: a new <see cref="MemoryStore"/>.</summary>
    public ITestStore? Store { get; init; }

    /// <summary>The folder that relative paths begin in. Must exist in the store.</summary>
    public string HomeDirectory { get; init; } = "/";

    /// <summary>
    /// Requests that are answered SSH_FX_OP_UNSUPPORTED, to imitate servers without them: names such as <c>SYMLINK</c>, and of extensions
    /// such as <c>posix-rename@openssh.com</c>, which are left out of SSH_FXP_VERSION too.
    /// </summary>
    public IReadOnlySet<string> DisabledRequests { get; init; } = new HashSet<string>();

    /// <summary>Connections at a time; more are ended before the version exchange. 0: any number.</summary>
    public int MaxConnections { get; init; }

    /// <summary>Connections of one user at a time; more are ended after the log-in. 0: any number.</summary>
    public int MaxConnectionsPerUser { get; init; }

    /// <summary>Channels of one connection at a time, as OpenSSH's <c>MaxSessions</c>; more are refused. 0: any number.</summary>
    public int MaxChannels { get; init; } = 10;

    /// <summary>Files and directories that one channel has open at a time; more are answered SSH_FX_FAILURE.</summary>
    public int MaxHandles { get; init; } = 1000;

    /// <summary>The longest SFTP packet in bytes; a longer one ends the channel. The limit of OpenSSH is the default.</summary>
    public int MaxPacketLength { get; init; } = 256 * 1024;

    /// <summary>The most bytes that one READ brings; more are answered with fewer.</summary>
    public int MaxReadLength { get; init; } = 255 * 1024;

    /// <summary>The receive window of a channel in bytes: the most data under way from the client (RFC 4254 section 5.2).</summary>
    public int ReceiveWindow { get; init; } = 2 * 1024 * 1024;

    /// <summary>Puts a link in front of the port. All connections share the link's rate.</summary>
    public LinkOptions? Link { get; init; }

    /// <summary>How many of the latest requests <see cref="SftpTestServer.Commands"/> keeps.</summary>
    public int CommandsKept { get; init; } = 100_000;

    /// <summary>The clock of delays.</summary>
    public TimeProvider TimeProvider { get; init; } = TimeProvider.System;
}
