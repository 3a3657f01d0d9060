using System.Net;
using Microsoft.Extensions.Logging;
using Transfer.Cli.Credentials;
using Transfer.Cli.Options;
using Transfer.Cli.Output;
using Transfer.Cli.Urls;
using Transfer.Ftp;

namespace Transfer.Cli.Connections;

/// <summary>Makes the clients of one run, one a server and log-in, and closes them with it.</summary>
internal sealed class Connector(CommandHost host, Messages messages, ConnectionSettings settings, ILoggerFactory loggers) : IAsyncDisposable
{
    private readonly LoginResolver _logins = new(host, messages);
    private readonly List<(TransferUrl Url, LoginArguments Arguments, TransferClient Client)> _open = [];

    /// <summary>Most files that are worth having under way at once.</summary>
    public int Parallel => settings.Sessions ?? new TransferClientOptions().MaxSessions;

    /// <summary>The client for a URL. Nothing is connected yet, but a password may be asked for.</summary>
    /// <param name="url">Where to.</param>
    /// <param name="arguments">The log-in options that are meant for this URL.</param>
    /// <param name="ambient">TRANSFER_PASSWORD may be used.</param>
    /// <param name="ct">Cancels a question at the terminal.</param>
    public TransferClient Open(TransferUrl url, LoginArguments arguments, bool ambient, CancellationToken ct)
    {
        foreach (var open in _open)
        {
            if (open.Url.IsSameServer(url) && open.Url.User == url.User && open.Url.Password == url.Password && ReferenceEquals(open.Arguments, arguments))
                return open.Client;
        }

        var tls = settings.TlsFor(url);
        CheckTrust(arguments, tls);
        var endpoint = url.Endpoint(tls == FtpTlsMode.Implicit);
        var login = _logins.Resolve(url, arguments, ambient, ct);
        Warn(url, arguments, tls, login);
        var client = new FtpTransferClient(endpoint, Options(arguments, tls, login));
        _open.Add((url, arguments, client));
        return client;
    }

    public async ValueTask DisposeAsync()
    {
        foreach (var open in _open) await open.Client.DisposeAsync();
    }

    private static void CheckTrust(LoginArguments arguments, FtpTlsMode tls)
    {
        var prefix = arguments.Prefix;
        if (arguments is { Insecure: true, Pins.Count: > 0 }) throw new UsageException($"{prefix}insecure and {prefix}pin contradict each other.");
        if (tls != FtpTlsMode.Off) return;
        if (arguments.Insecure) throw new UsageException($"{prefix}insecure is about certificates, and ftp: without --tls has none.");
        if (arguments.Pins.Count > 0) throw new UsageException($"{prefix}pin is about certificates, and ftp: without --tls has none.");
    }

    private void Warn(TransferUrl url, LoginArguments arguments, FtpTlsMode tls, Login login)
    {
        if (arguments.Insecure)
            messages.Warning($"{arguments.Prefix}insecure: THE CERTIFICATE OF {url.Host} IS NOT CHECKED. Anyone on the way can read and change everything, the password included.");
        if (tls == FtpTlsMode.Off && login.HasSecret && !IsLoopback(url.Host))
            messages.Warning($"the password goes to {url.Host} in the clear; ftpes: or --tls explicit would encrypt it.");
    }

    private static bool IsLoopback(string host) =>
        host == "localhost" || host.EndsWith(".localhost", StringComparison.Ordinal) || (IPAddress.TryParse(host, out var address) && IPAddress.IsLoopback(address));

    private FtpOptions Options(LoginArguments arguments, FtpTlsMode tls, Login login)
    {
        var options = new FtpOptions
        {
            Credential = login.Credential,
            Account = login.Account is null ? null : new FtpAccount(login.Account),
            TlsMode = tls,
            Tls = new FtpTlsOptions { Pins = arguments.Pins, AcceptAnyCertificate = arguments.Insecure },
            DataMode = settings.Active ? FtpDataMode.Active : FtpDataMode.Passive,
            Encoding = settings.Encoding,
            Dial = new DialOptions { Proxy = settings.Proxy },
            LoggerFactory = loggers,
            TimeProvider = host.TimeProvider,
        };
        if (settings.Sessions is { } sessions) options = options with { MaxSessions = sessions };
        return settings.Timeout is { } timeout
            ? options with { IdleTimeout = timeout, Dial = options.Dial with { ConnectTimeout = timeout } }
            : options;
    }
}
