using System.Text;

namespace Transfer.Cli.Urls;

/// <summary>Parses the value of <c>--proxy</c>: <c>http://[user:password@]host:port</c> or <c>socks5://…</c>.</summary>
internal static class ProxyUrl
{
    private const int SocksPort = 1080;
    private const int MaxSocksField = 255; // bytes (RFC 1929 section 2)

    public static ProxyOptions Parse(string text)
    {
        const string What = "--proxy";
        var separator = text.IndexOf("://", StringComparison.Ordinal);
        ProxyKind? kind = (separator < 0 ? string.Empty : text[..separator].ToLowerInvariant()) switch
        {
            "http" => ProxyKind.HttpConnect,
            "socks5" or "socks5h" => ProxyKind.Socks5,
            _ => null,
        };
        if (kind is null) throw new UsageException("--proxy wants http://host:port or socks5://host:port.");

        var authority = text.AsSpan(separator + 3).TrimEnd('/');
        var at = authority.LastIndexOf('@');
        var (host, port) = AuthorityParser.ParseHostAndPort(authority[(at + 1)..], What);
        port ??= kind == ProxyKind.Socks5 ? SocksPort : throw new UsageException("--proxy wants a port: http://host:port.");
        return new ProxyOptions
        {
            Kind = kind.Value,
            Host = host,
            Port = port.Value,
            Credential = at < 0 ? null : Credential(authority[..at], kind.Value)
        };
    }

    private static TransferCredential Credential(ReadOnlySpan<char> info, ProxyKind kind)
    {
        var colon = info.IndexOf(':');
        var user = PercentEncoding.DecodeText(colon < 0 ? info : info[..colon], "--proxy's user name");
        var password = colon < 0 ? string.Empty : PercentEncoding.DecodeText(info[(colon + 1)..], "--proxy's password");
        if (user.Any(char.IsControl) || password.Any(char.IsControl))
            throw new UsageException("--proxy has a control character in its log-in, which is refused.");
        if (kind == ProxyKind.HttpConnect && user.Contains(':', StringComparison.Ordinal))
            throw new UsageException("--proxy has a colon in its user name, which HTTP cannot express (RFC 7617).");
        if (kind == ProxyKind.Socks5 && (Encoding.UTF8.GetByteCount(user) is 0 or > MaxSocksField
            || Encoding.UTF8.GetByteCount(password) > MaxSocksField))
        {
            throw new UsageException("--proxy wants 1 to 255 bytes of user name, and 255 bytes of password at most, for SOCKS.");
        }
        return new TransferCredential(user, password);
    }
}
