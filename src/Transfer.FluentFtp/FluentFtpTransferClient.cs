using FluentFTP;
using Transfer.FluentFtp.Session;
using Transfer.Sessions;

namespace Transfer.FluentFtp;

/// <summary>
/// Moves files over FluentFTP: an application keeps its code that makes connections, and gains jobs, synchronisation, resuming and
/// parallel sessions. Each session is an <see cref="AsyncFtpClient"/> of its own, which is never shared, and moves one file at a time.
/// </summary>
/// <remarks>
/// Certificates of data connections are not checked: FluentFTP accepts any there. Transfer.Ftp's client checks them, and needs fewer round
/// trips.
/// </remarks>
public sealed class FluentFtpTransferClient : TransferClient
{
    private readonly FluentConnector _connector;

    /// <summary>Creates a client; nothing is connected yet.</summary>
    /// <param name="connect">
    /// Makes an <see cref="AsyncFtpClient"/>, with its settings and handlers: a new one each time, which the sessions own from then on.
    /// The sessions connect, and switch off reconnection and NOOPs beside transfers. Called once in the constructor, for the address;
    /// later also by several threads at once.
    /// </param>
    /// <param name="path">The folder that relative paths begin in: absolute, or the log-in folder and below it (<c>/~/inbox</c>).</param>
    /// <param name="options">
    /// The options; null: the defaults. <see cref="TransferClientOptions.Credential"/> and <see cref="TransferClientOptions.Dial"/> must
    /// keep their defaults: FluentFTP logs in and connects.
    /// </param>
    /// <exception cref="ArgumentException">
    /// The path is relative, or holds CR, LF or NUL; an option is invalid, or has no effect here.
    /// </exception>
    public FluentFtpTransferClient(Func<AsyncFtpClient> connect, string path = RemotePath.Home, TransferClientOptions? options = null)
        : this(First(connect), connect, path, options)
    {
    }

    /// <summary>
    /// Creates a client over clients that the application connects, too, by <c>AutoConnect</c> for example; nothing is connected yet.
    /// </summary>
    /// <param name="endpoint">
    /// The clients' server, with the folder that relative paths begin in: <c>ftp:</c>, <c>ftpes:</c> or <c>ftps:</c>. The URL names the
    /// server in messages, journals and telemetry.
    /// </param>
    /// <param name="connect">
    /// Makes and connects a client for one session. The token ends the time of a log-in
    /// (<see cref="TransferClientOptions.LogInTimeout"/>).
    /// </param>
    /// <param name="options">As for the other constructor.</param>
    /// <exception cref="ArgumentException">Another scheme; an option is invalid, or has no effect here.</exception>
    public FluentFtpTransferClient(Uri endpoint, Func<CancellationToken, Task<AsyncFtpClient>> connect,
        TransferClientOptions? options = null)
        : base(endpoint, Checked(options))
    {
        ArgumentNullException.ThrowIfNull(connect);
        if (Endpoint.Scheme is not ("ftp" or "ftpes" or "ftps"))
            throw new ArgumentException($"{Endpoint.Scheme} is not an FTP scheme: ftp, ftpes or ftps.", nameof(endpoint));
        _connector = new FluentConnector(Endpoint.IdnHost, first: null, connect, Options);
    }

    private FluentFtpTransferClient(AsyncFtpClient first, Func<AsyncFtpClient> connect, string path, TransferClientOptions? options)
        : base(ClientAddress.Of(first, path), Checked(options)) =>
        _connector = new FluentConnector(Endpoint.IdnHost, first, _ => Task.FromResult(connect()), Options);

    /// <inheritdoc/>
    protected override bool DividesUploads => false;

    /// <inheritdoc/>
    protected override async ValueTask<TransferSession> OpenSessionAsync(CancellationToken cancellationToken) =>
        await _connector.OpenAsync(cancellationToken).ConfigureAwait(false);

    /// <summary>421 and 530 while other sessions are open: the server allows no more of them (RFC 959 section 4.2.1).</summary>
    protected override bool IsSessionLimit(TransferException error) => error?.ServerCode is 421 or 530;

    /// <inheritdoc/>
    protected override ValueTask CloseAsync() => _connector.DisposeAsync();

    private static AsyncFtpClient First(Func<AsyncFtpClient> connect)
    {
        ArgumentNullException.ThrowIfNull(connect);
        return connect();
    }

    private static TransferClientOptions? Checked(TransferClientOptions? options)
    {
        if (options?.Credential is not null) throw Wrong(nameof(TransferClientOptions.Credential), "AsyncFtpClient.Credentials");
        if (options is not null && options.Dial != new DialOptions())
            throw Wrong(nameof(TransferClientOptions.Dial), "AsyncFtpClient.Config and FluentFTP's proxy clients");
        return options;
    }

    private static ArgumentException Wrong(string property, string instead) =>
        new($"TransferClientOptions.{property} has no effect over FluentFTP: use {instead}.", property);
}
