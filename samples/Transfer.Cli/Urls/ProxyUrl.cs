namespace Transfer.Cli.Urls;

/// <summary>Parses the value of <c>--proxy</c>: <c>http://[user:password@]host:port</c> or <c>socks5://…</c>.</summary>
internal static class ProxyUrl
{
    private const int SocksPort = 1080;

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
        var proxy = new ProxyOptions
        {
            Kind = kind.Value,
            Host = host,
            Port = port.Value,
            Credential = at < 0 ? null : Credential(authority[..at])
        };
        return proxy.Inexpressible is { } part ? throw new UsageException($"--proxy has {part}, which is refused.") : proxy;
    }

    private static TransferCredential Credential(ReadOnlySpan<char> info)
    {
        var colon = info.IndexOf(':');
        var user = PercentEncoding.DecodeText(colon < 0 ? info : info[..colon], "--proxy's user name");
        var password = colon < 0 ? string.Empty : PercentEncoding.DecodeText(info[(colon + 1)..], "--proxy's password");
        return new TransferCredential(user, password);
    }
}
