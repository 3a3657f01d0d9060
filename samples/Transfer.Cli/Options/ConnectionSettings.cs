using System.CommandLine;
using System.Globalization;
using System.Security.Authentication;
using System.Text;
using Transfer.Cli.Urls;
using Transfer.Ftp;
using Transfer.Sftp;

namespace Transfer.Cli.Options;

/// <summary>How servers are reached, as the options say it: the same for both sides of a command, and no secret of either.</summary>
internal sealed record ConnectionSettings
{
    public const string None = "none";

    private const int MaxSessions = 256;
    private const int MostRetries = 1000;
    public static readonly TimeSpan LongestTimeout = TimeSpan.FromDays(7);

    public int? Sessions { get; private init; }

    public TimeSpan? Timeout { get; private init; }

    public TimeSpan? LogInTimeout { get; private init; }

    /// <summary>Most bytes of memory for listings; null: the usual ones.</summary>
    public long? MaxListing { get; private init; }

    public RetryOptions Retry { get; private init; } = new();

    /// <summary>The rate limit.</summary>
    public RateSetting Limit { get; private init; }

    public ProxyOptions? Proxy { get; private init; }

    public bool Active { get; private init; }

    /// <summary>The ways of FTP that are not found out.</summary>
    public FtpCompatibility Compatibility { get; private init; } = new();

    public FtpPipelining Pipelining { get; private init; }

    public Encoding? Encoding { get; private init; }

    public FtpTlsMode? Tls { get; private init; }

    /// <summary>The versions of TLS that are allowed; none: both.</summary>
    public SslProtocols TlsVersions { get; private init; }

    /// <summary>Whether data connections are not encrypted (PROT C).</summary>
    public bool ClearsData { get; private init; }

    /// <summary>The plainest ways.</summary>
    public bool IsPlain { get; private init; }

    public string? KnownHosts { get; private init; }

    public bool AcceptNewHostKey { get; private init; }

    /// <summary>OpenSSH's configuration: a file, <see cref="None"/>, or null for the usual files.</summary>
    public string? SshConfig { get; private init; }

    public SshAlgorithms Algorithms { get; private init; } = new();

    /// <summary>Reads the options.</summary>
    /// <param name="parsed">The command line.</param>
    /// <param name="options">The options it may hold.</param>
    /// <param name="urls">Every server's URL in the command: options that are for none of them are refused.</param>
    public static ConnectionSettings Read(ParseResult parsed, CliOptions options, IEnumerable<TransferUrl> urls)
    {
        var (ftp, sftp) = (urls.Any(url => !url.IsSftp), urls.Any(url => url.IsSftp));
        if (!ftp && Given(options.FtpOnly) is { } forFtp) throw new UsageException($"{forFtp} is for FTP, and sftp: has no use for it.");
        if (!sftp && Given(options.SftpOnly) is { } forSftp) throw new UsageException($"{forSftp} is for sftp: only.");
        if (!ftp && !sftp && CliOptions.IsGiven(parsed, options.Plain))
            throw new UsageException($"{options.Plain.Name} is for servers of FTP and sftp:.");
        return Read(parsed, options);

        string? Given(IEnumerable<Option> among) => among.FirstOrDefault(option => CliOptions.IsGiven(parsed, option))?.Name;
    }

    private static ConnectionSettings Read(ParseResult parsed, CliOptions options)
    {
        var settings = new ConnectionSettings
        {
            Sessions = ReadSessions(parsed, options),
            Timeout = ParseTimeout(CliOptions.Value(parsed, options.Timeout), options.Timeout.Name),
            LogInTimeout = ParseTimeout(CliOptions.Value(parsed, options.LogInTimeout), options.LogInTimeout.Name),
            MaxListing = ParseMaxListing(parsed, options),
            Retry = ParseRetries(CliOptions.Value(parsed, options.Retries)),
            Limit = RateSetting.Read(parsed, options),
            Proxy = CliOptions.Value(parsed, options.Proxy) is { } proxy ? ProxyUrl.Parse(proxy) : null,
            Active = parsed.GetValue(options.Active),
            Compatibility = ReadCompatibility(parsed, options),
            Pipelining = parsed.GetValue(options.Plain) || parsed.GetValue(options.NoPipelining) ? FtpPipelining.Off : FtpPipelining.Auto,
            Encoding = ParseEncoding(CliOptions.Value(parsed, options.Encoding)),
            KnownHosts = CliOptions.Value(parsed, options.KnownHosts),
            AcceptNewHostKey = parsed.GetValue(options.AcceptNewHostKey),
            SshConfig = CliOptions.Value(parsed, options.SshConfig),
            Algorithms = ParseCiphers(CliOptions.Value(parsed, options.Ciphers)),
            TlsVersions = ReadTlsVersions(parsed, options),
            ClearsData = parsed.GetValue(options.ClearData),
            IsPlain = parsed.GetValue(options.Plain),
            Tls = CliOptions.Value(parsed, options.Tls) switch
            {
                null => null,
                "explicit" => FtpTlsMode.Explicit,
                "implicit" => FtpTlsMode.Implicit,
                "off" => FtpTlsMode.Off,
                _ => throw new UsageException("--tls wants explicit, implicit or off."),
            },
        };
        if (settings is { Active: true, Proxy: not null })
            throw new UsageException("--active and --proxy contradict each other: a server cannot connect to us through a proxy.");
        if (settings is { KnownHosts: { } file, AcceptNewHostKey: false } && !File.Exists(file))
            throw new UsageException($"--known-hosts: there is no file {file}; --accept-new-host-key would begin one.");
        if (settings.SshConfig is not (null or None) && !File.Exists(settings.SshConfig))
            throw new UsageException($"--ssh-config: there is no file {settings.SshConfig}.");
        return settings;
    }

    private static SslProtocols ReadTlsVersions(ParseResult parsed, CliOptions options)
    {
        var (above12, below13) = (Is13(options.TlsMin) == true, Is13(options.TlsMax) == false);
        if (above12 && below13) throw new UsageException("--tls-min 1.3 and --tls-max 1.2 contradict each other.");
        return above12 ? SslProtocols.Tls13 : below13 ? SslProtocols.Tls12 : SslProtocols.None;

        bool? Is13(Option<string> option) => CliOptions.Value(parsed, option) switch
        {
            null => null,
            "1.2" => false,
            "1.3" => true,
            _ => throw new UsageException($"{option.Name} wants 1.2 or 1.3."),
        };
    }

    private static FtpCompatibility ReadCompatibility(ParseResult parsed, CliOptions options)
    {
        var ways = parsed.GetValue(options.Plain) ? FtpCompatibility.Plainest : new();
        if (parsed.GetValue(options.NoEpsv)) ways = ways with { DataPort = FtpDataPort.Pasv };
        if (parsed.GetValue(options.NoMlsd)) ways = ways with { List = FtpListCommand.List };
        if (parsed.GetValue(options.NoMlst)) ways = ways with { Describe = FtpDescription.SizeAndTime };
        return ways with
        {
            TrustsPassiveAddress = parsed.GetValue(options.TrustPasv),
            TrustsUnconfirmedEnds = parsed.GetValue(options.TrustDataEnd),
        };
    }

    /// <summary>When TLS starts for a URL, which its scheme may have fixed already.</summary>
    public FtpTlsMode TlsFor(TransferUrl url)
    {
        FtpTlsMode? wanted = url.Scheme switch
        {
            Scheme.FtpExplicit => FtpTlsMode.Explicit,
            Scheme.FtpImplicit => FtpTlsMode.Implicit,
            _ => null,
        };
        if (wanted is not null && Tls is not null && wanted != Tls)
        {
            throw new UsageException(
                $"--tls {Tls.ToString()!.ToLowerInvariant()} contradicts {url.Scheme}:, which is "
                + $"{wanted.ToString()!.ToLowerInvariant()} TLS.");
        }

        return wanted ?? Tls ?? FtpTlsMode.Off;
    }

    /// <summary>Reads --sessions, or this run's share of --sessions-total; null: neither was given.</summary>
    public static int? ReadSessions(ParseResult parsed, CliOptions options)
    {
        var own = CliOptions.Value(parsed, options.Sessions);
        if (CliOptions.Value(parsed, options.SessionsTotal) is not { } total) return ParseSessions(own);
        if (own is not null) throw new UsageException("--sessions and --sessions-total contradict each other.");
        if (!long.TryParse(total, NumberStyles.None, CultureInfo.InvariantCulture, out var sessions) || sessions is < 1 or > int.MaxValue)
            throw new UsageException("--sessions-total wants a number from 1.");
        return (int)Math.Min(MaxSessions, options.Share(options.SessionsTotal, sessions));
    }

    internal static int? ParseSessions(string? text, string name = "--sessions")
    {
        if (text is null or "auto") return null;
        return int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out var sessions) && sessions is >= 1 and <= MaxSessions
            ? sessions
            : throw new UsageException($"{name} wants auto or a number from 1 to {MaxSessions}.");
    }

    /// <summary>For what is listed outside of a client too.</summary>
    public static long? ParseMaxListing(ParseResult parsed, CliOptions options) => SizeText.Read(parsed, options.MaxListing) switch
    {
        < 1 << 20 => throw new UsageException("--max-listing wants 1M at least."),
        var most => most,
    };

    private static TimeSpan? ParseTimeout(string? text, string name)
    {
        if (text is null) return null;
        return double.TryParse(text, NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out var seconds)
            && seconds >= 0.001 && seconds <= LongestTimeout.TotalSeconds
            ? TimeSpan.FromSeconds(seconds)
            : throw new UsageException($"{name} wants seconds, more than 0 and a week at most.");
    }

    private static RetryOptions ParseRetries(string? text)
    {
        if (text is null) return new RetryOptions();
        return int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out var retries) && retries <= MostRetries
            ? new RetryOptions { Attempts = retries + 1 }
            : throw new UsageException($"--retries wants a number from 0 to {MostRetries}.");
    }

    private static SshAlgorithms ParseCiphers(string? text)
    {
        var all = new SshAlgorithms();
        if (text is null) return all;
        var names = text.Split(',', StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries);
        var unknown = names.FirstOrDefault(name => !all.Ciphers.Contains(name));
        if (names.Length == 0 || unknown is not null)
        {
            throw new UsageException(
                $"--ciphers {(unknown is null ? "is empty" : $"does not know '{unknown}'")}; there are {string.Join(", ", all.Ciphers)}.");
        }

        return all with { Ciphers = names };
    }

    private static Encoding? ParseEncoding(string? name)
    {
        if (name is null) return null;
        if (name.Equals("utf-8", StringComparison.OrdinalIgnoreCase) || name.Equals("utf8", StringComparison.OrdinalIgnoreCase))
            return NameEncoding.LosslessUtf8;
        Encoding.RegisterProvider(CodePagesEncodingProvider.Instance);
        try
        {
            var encoding = Encoding.GetEncoding(name, EncoderFallback.ExceptionFallback, DecoderFallback.ReplacementFallback);

            // Commands are ASCII, and so must their line ends be: UTF-16, UTF-7 or EBCDIC would say something else with the same bytes.
            const string Ascii = "STOR /a+b-~.\r\n";
            if (encoding.GetBytes(Ascii).AsSpan().SequenceEqual(Encoding.ASCII.GetBytes(Ascii))) return encoding;
        }
        catch (Exception e) when (e is ArgumentException or NotSupportedException)
        {
            throw new UsageException($"--encoding: there is no encoding of the name {name}.");
        }

        throw new UsageException($"--encoding {name} cannot be used: it does not write ASCII as ASCII.");
    }
}
