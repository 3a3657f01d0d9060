namespace Transfer.PowerShell.Clients;

/// <summary>Reads the address of <c>-Proxy</c>.</summary>
internal static class ProxyAddress
{
    private const int SocksPort = 1080;

    /// <summary>The proxy of an address; messages do not repeat the address, which may hold a password.</summary>
    /// <exception cref="ArgumentException">The address is none of a proxy, or the log-in is given twice.</exception>
    public static ProxyOptions Parse(Uri address, TransferCredential? credential)
    {
        var isWhole = address.IsAbsoluteUri && address.Host.Length > 0 && address.PathAndQuery is "/" or "";
        if (!isWhole || Kind(address.Scheme) is not { } kind)
            throw new ArgumentException("Proxy wants http://host:port or socks5://host:port.");
        if (address.UserInfo.Length > 0 && credential is not null)
            throw new ArgumentException("Proxy has a log-in, and ProxyCredential is another.");
        return new ProxyOptions
        {
            Kind = kind,
            Host = address.HostNameType == UriHostNameType.IPv6 ? address.Host.Trim('[', ']') : address.IdnHost,
            Port = address.Port > 0 ? address.Port : SocksPort,
            Credential = credential ?? LogIn(address.UserInfo),
        };
    }

    private static ProxyKind? Kind(string scheme) => scheme switch
    {
        "http" => ProxyKind.HttpConnect,
        "socks5" or "socks5h" => ProxyKind.Socks5,
        _ => null,
    };

    private static TransferCredential? LogIn(string text)
    {
        if (text.Length == 0) return null;
        var parts = text.Split(':', 2);
        var (user, password) = (Uri.UnescapeDataString(parts[0]), parts.Length > 1 ? Uri.UnescapeDataString(parts[1]) : string.Empty);
        if ((user + password).AsSpan().ContainsAny('\r', '\n', '\0'))
            throw new ArgumentException("Proxy has a CR, LF or NUL in its log-in, which is refused.");
        return new TransferCredential(user, password);
    }
}
