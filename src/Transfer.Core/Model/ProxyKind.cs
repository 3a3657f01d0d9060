namespace Transfer;

/// <summary>The proxy protocols spoken.</summary>
public enum ProxyKind
{
    /// <summary>HTTP CONNECT (RFC 9110 section 9.3.6), Basic log-in.</summary>
    HttpConnect,

    /// <summary>SOCKS version 5 (RFC 1928), log-in by RFC 1929. Names are resolved by the proxy.</summary>
    Socks5,
}
