using System.Text;

namespace Transfer.Ftp;

/// <summary>The options of an FTP client, beyond <see cref="TransferClientOptions"/>.</summary>
public sealed record FtpOptions : TransferClientOptions
{
    /// <summary>Creates options with default values.</summary>
    public FtpOptions()
    {
    }

    /// <summary>Creates options that take over those shared by all clients.</summary>
    public FtpOptions(TransferClientOptions common)
        : base(common)
    {
    }

    /// <summary>The start of TLS. Null: by the scheme (<c>ftp</c>: off, <c>ftpes</c>: explicit, <c>ftps</c>: implicit).</summary>
    public FtpTlsMode? TlsMode { get; init; }

    /// <summary>The TLS options.</summary>
    public FtpTlsOptions Tls { get; init; } = new();

    /// <summary>The pipelining: which commands are sent together.</summary>
    public FtpPipelining Pipelining { get; init; } = FtpPipelining.Auto;

    /// <summary>The ways of FTP that are used without finding out, and trust in addresses.</summary>
    public FtpCompatibility Compatibility { get; init; } = new();

    /// <summary>The side that opens data connections.</summary>
    public FtpDataMode DataMode { get; init; } = FtpDataMode.Passive;

    /// <summary>The address at which the server reaches the client in active mode.</summary>
    public FtpActiveOptions Active { get; init; } = new();

    /// <summary>
    /// The encoding of names. Null: UTF-8 on servers that announce UTF-8 (RFC 2640), else <see cref="FallbackEncoding"/>.
    /// </summary>
    public Encoding? Encoding { get; init; }

    /// <summary>
    /// The encoding of names on servers that do not announce UTF-8. Null: UTF-8 that preserves invalid bytes (<see cref="NameEncoding"/>).
    /// </summary>
    public Encoding? FallbackEncoding { get; init; }

    /// <summary>Whether content is moved as unchanged bytes, or as text with converted line ends.</summary>
    public FtpTransferType TransferType { get; init; } = FtpTransferType.Binary;

    /// <summary>Whether data connections are compressed where the server offers MODE Z (draft-preston-ftpext-deflate).</summary>
    public bool Deflate { get; init; }

    /// <summary>The account, for servers that request one after the password.</summary>
    public FtpAccount? Account { get; init; }

    /// <summary>The virtual host to name before the log-in (HOST, RFC 7151), or null.</summary>
    public string? VirtualHost { get; init; }

    /// <summary>The client's name to send to the server (CLNT), or null.</summary>
    public string? ClientName { get; init; }

    /// <summary>The server's offset from UTC, for the times in LIST listings. MLSD, MDTM and MFMT are always in UTC (RFC 3659).</summary>
    public TimeSpan ListingOffset { get; init; } = TimeSpan.Zero;
}
