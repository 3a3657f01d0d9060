using Renci.SshNet;

namespace Transfer.SshNet.Translation;

/// <summary>Proxy and time-out of a connection.</summary>
internal static class TranslatedDial
{
    /// <summary>How the connection is dialled.</summary>
    /// <exception cref="NotSupportedException">The proxy speaks SOCKS version 4.</exception>
    public static DialOptions Of(ConnectionInfo connection, DialOptions options) => options with
    {
        ConnectTimeout = connection.Timeout,
        Proxy = connection.ProxyType == ProxyTypes.None ? options.Proxy : Proxy(connection),
    };

    private static ProxyOptions Proxy(ConnectionInfo connection) => new()
    {
        Kind = connection.ProxyType switch
        {
            ProxyTypes.Http => ProxyKind.HttpConnect,
            ProxyTypes.Socks5 => ProxyKind.Socks5,
            var other =>
                throw new NotSupportedException($"{nameof(ConnectionInfo.ProxyType)}: {other}; HTTP and SOCKS version 5 are supported."),
        },
        Host = connection.ProxyHost!,
        Port = connection.ProxyPort,
        Credential = connection.ProxyUsername is null or ""
            ? null : new(connection.ProxyUsername, connection.ProxyPassword ?? string.Empty),
    };
}
