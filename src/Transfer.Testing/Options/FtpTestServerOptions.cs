using System.Net;
using System.Security.Authentication;
using System.Security.Cryptography.X509Certificates;
using System.Text;

namespace Transfer.Testing;

/// <summary>How an <see cref="FtpTestServer"/> behaves.</summary>
public sealed record FtpTestServerOptions
{
    /// <summary>The loopback address to listen at, for control and passive data connections: of 127.0.0.0/8, or ::1. Others are refused:
    /// test servers belong on no network.</summary>
    public IPAddress Address { get; init; } = IPAddress.Loopback;

    /// <summary>The control port; 0 takes a free one.</summary>
    public int Port { get; init; }

    /// <summary>
    /// Names and passwords. An empty password accepts any. By default <c>demo</c> with <c>demo</c>, and <c>anonymous</c>.
    /// </summary>
    public IReadOnlyDictionary<string, string> Users { get; init; } =
        new Dictionary<string, string>(StringComparer.Ordinal) { ["demo"] = "demo", ["anonymous"] = string.Empty };

    /// <summary>When set, PASS is answered 332 and ACCT must send this (RFC 959 4.1.1).</summary>
    public string? Account { get; init; }

    /// <summary>The files. Null: a new <see cref="MemoryStore"/>.</summary>
    public ITestStore? Store { get; init; }

    /// <summary>The folder sessions start in. Must exist in the store.</summary>
    public string HomeDirectory { get; init; } = "/";

    /// <summary>Whether and how TLS is offered.</summary>
    public FtpTestTls Tls { get; init; }

    /// <summary>The server's certificate with its private key. Null: a self-signed one for localhost, 127.0.0.1 and ::1.</summary>
    public X509Certificate2? Certificate { get; init; }

    /// <summary>The TLS versions offered; None leaves the choice to the system.</summary>
    public SslProtocols SslProtocols { get; init; }

    /// <summary>
    /// Whether protected data connections must resume the TLS session of their own control connection, as vsftpd
    /// (<c>require_ssl_reuse</c>) and ProFTPD require by default; other connections are answered 522 after the 150. With TLS 1.3, which
    /// hides the owner of a session, any session of this server will do. Needs a system with TLS session resumption on the server's side
    /// (Linux and Windows).
    /// </summary>
    public bool RequireTlsSessionReuse { get; init; }

    /// <summary>Log-ins without TLS are answered 530, and unprotected data connections 522.</summary>
    public bool RequireTls { get; init; }

    /// <summary>The client must show a certificate on the control connection; any is taken.</summary>
    public bool RequireClientCertificate { get; init; }

    /// <summary>An upload over TLS that ends without close_notify is refused with 426 instead of taken for whole.</summary>
    public bool RequireCloseNotify { get; init; }

    /// <summary>Control connections at a time; more are greeted with 421. 0: any number.</summary>
    public int MaxConnections { get; init; }

    /// <summary>Sessions of one user at a time; more are answered 530 at PASS. 0: any number.</summary>
    public int MaxConnectionsPerUser { get; init; }

    /// <summary>The text of the 220; several lines are sent as a multi-line reply.</summary>
    public string Greeting { get; init; } = "Transfer test server ready";

    /// <summary>The text of the 215.</summary>
    public string? SystemType { get; init; }

    /// <summary>Commands answered 502 and left out of FEAT, to imitate servers without them, such as MLSD, EPSV or MFMT.</summary>
    public IReadOnlySet<string> DisabledCommands { get; init; } = new HashSet<string>();

    /// <summary>The form of LIST.</summary>
    public FtpListingStyle ListingStyle { get; init; }

    /// <summary>The most lines of the reply to STAT of a directory. More are left out without notice, as by Pure-FTPd.</summary>
    public int MaxStatusLines { get; init; } = 10_000;

    /// <summary>Where links to directories are shown as links.</summary>
    public FtpLinkListing LinkListing { get; init; }

    /// <summary>
    /// Whether names are UTF-8, as announced in FEAT. Otherwise they are in <see cref="NameEncoding"/>, and OPTS UTF8 is refused.
    /// </summary>
    public bool Utf8 { get; init; } = true;

    /// <summary>The encoding of names when <see cref="Utf8"/> is off.</summary>
    public Encoding NameEncoding { get; init; } = Encoding.Latin1;

    /// <summary>
    /// Whether commands other than ABOR, STAT and QUIT that arrive during a transfer are answered 500 at once and dropped, as by
    /// Pure-FTPd. Off: such commands wait and are answered after the 226, as by vsftpd.
    /// </summary>
    public bool StrictPipelining { get; init; }

    /// <summary>PASV and EPSV need a PRET before them, as distributed servers do.</summary>
    public bool RequirePret { get; init; }

    /// <summary>The IPv4 address that PASV names instead of the true one, to imitate servers behind a NAT.</summary>
    public IPAddress? PassiveAddress { get; init; }

    /// <summary>How long to wait for a data connection before answering 425.</summary>
    public TimeSpan DataTimeout { get; init; } = TimeSpan.FromSeconds(30);

    /// <summary>The time without a command after which a session gets 421 and is closed. Null: never.</summary>
    public TimeSpan? IdleTimeout { get; init; }

    /// <summary>Puts one link in front of the control port and of every passive port. All of them share the link's rate.</summary>
    public LinkOptions? Link { get; init; }

    /// <summary>How many of the latest commands <see cref="FtpTestServer.Commands"/> keeps.</summary>
    public int CommandsKept { get; init; } = 100_000;

    /// <summary>The clock of delays and time-outs.</summary>
    public TimeProvider TimeProvider { get; init; } = TimeProvider.System;
}
