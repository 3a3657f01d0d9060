using System.Net;
using System.Security.Authentication;
using Microsoft.Extensions.Logging;
using Transfer.Cli.Credentials;
using Transfer.Cli.Options;
using Transfer.Cli.Output;
using Transfer.Cli.Urls;
using Transfer.Ftp;

namespace Transfer.Cli.Connections;

/// <summary>Makes clients for FTP's schemes, as the options say.</summary>
internal sealed class FtpClients(CommandHost host, Messages messages, ConnectionSettings settings, ILoggerFactory loggers)
{
    // Small files over a long link wait for round trips only, and servers that allow no more sessions say so.
    private const int ForSmallFiles = 64;

    /// <summary>Refuses options that contradict the URL.</summary>
    public void Check(TransferUrl url, LoginArguments arguments)
    {
        var tls = settings.TlsFor(url);
        var prefix = arguments.Prefix;
        if (arguments.Identities.Count > 0) throw new UsageException($"{prefix}identity is for sftp: only.");
        if (arguments.Jump is not null) throw new UsageException($"{prefix}jump is for sftp: only.");
        if (arguments is { CertificateFile: null, CertificateKeyFile: not null })
            throw new UsageException($"{prefix}cert-key says nothing without {prefix}cert.");
        if (arguments.AuthorityFile is not null && (arguments.Insecure || arguments.Pins.Count > 0))
            throw new UsageException($"{prefix}ca-file contradicts {prefix}{(arguments.Insecure ? "insecure" : "pin")}.");
        if (tls != FtpTlsMode.Off) return;
        if (arguments.CertificateOption is { } option)
            throw new UsageException($"{option} is about certificates, and ftp: without --tls has none.");
        if (arguments.Insecure) throw new UsageException($"{prefix}insecure is about certificates, and ftp: without --tls has none.");
        if (arguments.Pins.Count > 0) throw new UsageException($"{prefix}pin is about certificates, and ftp: without --tls has none.");
        if (settings.TlsVersions != SslProtocols.None)
        {
            var bound = settings.TlsVersions == SslProtocols.Tls13 ? "--tls-min" : "--tls-max";
            throw new UsageException($"{bound} is about TLS, and ftp: without --tls has none.");
        }
        if (settings.ClearsData) throw new UsageException("--clear-data is about TLS, and ftp: without --tls has none.");
    }

    public FtpTransferClient Create(TransferUrl url, LoginArguments arguments, Login login)
    {
        var tls = settings.TlsFor(url);
        Warn(url, arguments, tls, login);
        return new FtpTransferClient(url.Endpoint(tls == FtpTlsMode.Implicit), Options(arguments, tls, login));
    }

    private void Warn(TransferUrl url, LoginArguments arguments, FtpTlsMode tls, Login login)
    {
        if (arguments.Insecure)
        {
            messages.Warning(
                $"{arguments.Prefix}insecure: THE CERTIFICATE OF {url.Host} IS NOT CHECKED. Anyone on the way can read and change "
                + "everything, the password included.");
        }

        if (settings.ClearsData)
        {
            messages.Warning($"--clear-data: files and listings of {url.Host} travel in the clear. Anyone on the way can read and change "
                + "them.");
        }
        if (tls == FtpTlsMode.Off && login.HasSecret && !IsLoopback(url.Host))
            messages.Warning($"the password goes to {url.Host} in the clear; ftpes: or --tls explicit would encrypt it.");
    }

    private static bool IsLoopback(string host) =>
        host == "localhost"
        || host.EndsWith(".localhost", StringComparison.Ordinal)
            || (IPAddress.TryParse(host, out var address) && IPAddress.IsLoopback(address));

    private FtpOptions Options(LoginArguments arguments, FtpTlsMode tls, Login login)
    {
        var options = new FtpOptions
        {
            Credential = login.Credential,
            Account = login.Account is null ? null : new FtpAccount(login.Account),
            TlsMode = tls,
            Tls = new FtpTlsOptions
            {
                Pins = arguments.Pins,
                Authorities = CertificateFiles.ReadAuthorities(arguments),
                ClientCertificates = CertificateFiles.ReadOwn(arguments),
                AcceptAnyCertificate = arguments.Insecure,
                Protocols = settings.TlsVersions,
                ProtectData = !settings.ClearsData,
            },
            DataMode = settings.Active ? FtpDataMode.Active : FtpDataMode.Passive,
            Compatibility = settings.Compatibility,
            Pipelining = settings.Pipelining,
            Encoding = settings.Encoding,
            Dial = new DialOptions { Proxy = settings.Proxy },
            Retry = settings.Retry,
            MaxBytesPerSecond = settings.Limit.Rate,
            RateSchedule = settings.Limit.Schedule,
            LimitsFile = StateFolder.Limits(host),
            RemembersSessionLimits = settings.Sessions is null,
            LoggerFactory = loggers,
            TimeProvider = host.TimeProvider,
        };
        options = settings.Sessions is { } sessions ? options with { MaxSessions = sessions }
            : options with { MaxSessionsForSmallFiles = ForSmallFiles };
        if (settings.MaxListing is { } most) options = options with { MaxListingBytes = most };
        if (settings.LogInTimeout is { } logIn) options = options with { LogInTimeout = logIn };
        return settings.Timeout is { } timeout
            ? options with { IdleTimeout = timeout, Dial = options.Dial with { ConnectTimeout = timeout } }
            : options;
    }
}
