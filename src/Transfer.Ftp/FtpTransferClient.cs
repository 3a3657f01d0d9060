using Transfer.Diagnostics;
using Transfer.Ftp.Session;
using Transfer.Pooling;
using Transfer.Sessions;

namespace Transfer.Ftp;

/// <summary>Moves files over FTP (RFC 959) and FTPS (RFC 4217).</summary>
public sealed class FtpTransferClient : TransferClient
{
    internal const string AnonymousUser = "anonymous";

    private readonly FtpConnector _connector;
    private readonly ServerMemory? _memory;
    private readonly bool _isTls;

    /// <summary>
    /// Creates a client for <c>ftp:</c>, <c>ftpes:</c> (explicit TLS) or <c>ftps:</c> (implicit TLS, port 990); nothing is connected yet.
    /// </summary>
    /// <exception cref="ArgumentException">
    /// Another scheme, or one that contradicts <see cref="FtpOptions.TlsMode"/>; a pin that is no hash.
    /// </exception>
    public FtpTransferClient(Uri endpoint, FtpOptions? options = null)
        : base(endpoint, options ?? new FtpOptions())
    {
        var ftp = (FtpOptions)Options;
        if (ftp.ListingOffset.Duration() > TimeSpan.FromHours(14) || ftp.ListingOffset.Ticks % TimeSpan.TicksPerMinute != 0)
            throw Wrong(nameof(FtpOptions.ListingOffset), "must be a whole number of minutes, 14 hours at most");
        var tls = TlsMode(Endpoint.Scheme, ftp.TlsMode);
        var port = Endpoint.Port > 0 ? Endpoint.Port : tls == FtpTlsMode.Implicit ? 990 : 21;
        var host = Endpoint.HostNameType == UriHostNameType.IPv6 ? Endpoint.Host.Trim('[', ']') : Endpoint.IdnHost;
        var logger = PrintableLogger.Create(Options.LoggerFactory, "Transfer.Ftp");
        _memory = ServerMemory.Of(Endpoint, Options);
        _isTls = tls != FtpTlsMode.Off;
        _connector = new FtpConnector(
            host, port, tls, Credential ?? new TransferCredential(AnonymousUser, "anonymous@"), ftp, _memory, LearnRoundTrip, logger);
    }

    /// <summary>The buffers of the sessions.</summary>
    internal FtpBuffers Buffers => _connector.Buffers;

    /// <inheritdoc/>
    protected override ValueTask<TransferSession> OpenSessionAsync(CancellationToken cancellationToken) =>
        OpenSessionAsync(static () => null, cancellationToken);

    /// <inheritdoc/>
    protected override async ValueTask<TransferSession> OpenSessionAsync(Func<WorkKind?> expected, CancellationToken cancellationToken) =>
        await _connector.OpenAsync(expected, cancellationToken).ConfigureAwait(false);

    /// <summary>
    /// Connection, greeting and log-in, and with TLS the request and the handshake. The first session asks for features, too, and servers
    /// without TCP_NODELAY (vsftpd) hold the last of so many replies for one round trip (Nagle, RFC 896).
    /// </summary>
    protected override int LogInRoundTrips => (_isTls ? 5 : 3) + (_connector.LogIns < 2 ? 1 : 0);

    /// <inheritdoc/>
    protected override async ValueTask CloseAsync()
    {
        if (_memory is not null) await _memory.Written.ConfigureAwait(false);
    }

    /// <summary>No common server, as installed, takes one file from two sessions (docs/adr/0007-ftp-uploads-in-one-piece.md).</summary>
    protected override bool DividesUploads => false;

    /// <summary>
    /// Whether the error is 421 or 530, by which a server refuses further sessions beside the open ones (RFC 959 section 4.2.1).
    /// </summary>
    protected override bool IsSessionLimit(TransferException error) => error?.ServerCode is 421 or 530;

    private static FtpTlsMode TlsMode(string scheme, FtpTlsMode? asked) => (scheme, asked) switch
    {
        ("ftp", _) => asked ?? FtpTlsMode.Off,
        ("ftpes", null or FtpTlsMode.Explicit) => FtpTlsMode.Explicit,
        ("ftps", null or FtpTlsMode.Implicit) => FtpTlsMode.Implicit,
        ("ftpes" or "ftps", _) => throw Wrong(nameof(FtpOptions.TlsMode), $"must not contradict the scheme: {scheme} is not {asked}"),
        _ => throw new ArgumentException($"{scheme} is not an FTP scheme: ftp, ftpes or ftps."),
    };

    private static ArgumentException Wrong(string property, string rule) => new($"FtpOptions.{property} {rule}.", property);
}
