using System.CommandLine;
using System.Globalization;
using System.Text;
using Transfer.Cli.Urls;
using Transfer.Ftp;

namespace Transfer.Cli.Options;

/// <summary>How servers are reached, as the options say it: the same for both sides of a command, and no secret of either.</summary>
internal sealed record ConnectionSettings
{
    private const int MaxSessions = 256;
    private static readonly TimeSpan LongestTimeout = TimeSpan.FromDays(7);

    public int? Sessions { get; private init; }

    public TimeSpan? Timeout { get; private init; }

    public ProxyOptions? Proxy { get; private init; }

    public bool Active { get; private init; }

    public Encoding? Encoding { get; private init; }

    public FtpTlsMode? Tls { get; private init; }

    public static ConnectionSettings Read(ParseResult parsed, CliOptions options)
    {
        var settings = new ConnectionSettings
        {
            Sessions = ParseSessions(CliOptions.Value(parsed, options.Sessions)),
            Timeout = ParseTimeout(CliOptions.Value(parsed, options.Timeout)),
            Proxy = CliOptions.Value(parsed, options.Proxy) is { } proxy ? ProxyUrl.Parse(proxy) : null,
            Active = parsed.GetValue(options.Active),
            Encoding = ParseEncoding(CliOptions.Value(parsed, options.Encoding)),
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
        return settings;
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
            throw new UsageException($"--tls {Tls.ToString()!.ToLowerInvariant()} contradicts {url.Scheme}:, which is {wanted.ToString()!.ToLowerInvariant()} TLS.");
        return wanted ?? Tls ?? FtpTlsMode.Off;
    }

    internal static int? ParseSessions(string? text)
    {
        if (text is null or "auto") return null;
        return int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out var sessions) && sessions is >= 1 and <= MaxSessions
            ? sessions
            : throw new UsageException($"--sessions wants auto or a number from 1 to {MaxSessions}.");
    }

    private static TimeSpan? ParseTimeout(string? text)
    {
        if (text is null) return null;
        return double.TryParse(text, NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out var seconds)
            && seconds >= 0.001 && seconds <= LongestTimeout.TotalSeconds
            ? TimeSpan.FromSeconds(seconds)
            : throw new UsageException("--timeout wants seconds, more than 0 and a week at most.");
    }

    private static Encoding? ParseEncoding(string? name)
    {
        if (name is null) return null;
        if (name.Equals("utf-8", StringComparison.OrdinalIgnoreCase) || name.Equals("utf8", StringComparison.OrdinalIgnoreCase)) return NameEncoding.LosslessUtf8;
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
