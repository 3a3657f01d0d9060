using System.Net.Sockets;

namespace Transfer.Dialing;

/// <summary>
/// A proxy's handshake for one target. The requests are made before anything is connected, so that a host or log-in that cannot be
/// expressed costs no connection.
/// </summary>
internal sealed class ProxyHandshake
{
    private readonly ProxyOptions _proxy;
    private readonly byte[] _request;
    private readonly byte[]? _login;

    public ProxyHandshake(ProxyOptions proxy, DialTarget target)
    {
        proxy.Validate();
        _proxy = proxy;
        Proxy = DialTarget.Parse(proxy.Host, proxy.Port);
        switch (proxy.Kind)
        {
            case ProxyKind.HttpConnect:
                _request = HttpConnectProxy.CreateRequest(target, proxy.Credential);
                break;
            case ProxyKind.Socks5:
                _request = Socks5Message.CreateConnect(target);
                _login = proxy.Credential is { } credential ? Socks5Message.CreateLogin(credential) : null;
                break;
            default:
                throw new ArgumentOutOfRangeException(nameof(proxy), proxy.Kind, "Not a kind of proxy.");
        }
    }

    /// <summary>The address of the proxy.</summary>
    public DialTarget Proxy { get; }

    /// <summary>Turns a connection to the proxy into one to the target.</summary>
    /// <exception cref="TransferConnectionException">The proxy refuses, closes, or does not speak the protocol.</exception>
    public ValueTask RunAsync(Socket socket, CancellationToken ct)
    {
        var channel = new ProxyChannel(socket, Proxy.ToString());
        return _proxy.Kind == ProxyKind.HttpConnect
            ? HttpConnectProxy.OpenAsync(channel, _request, ct)
            : Socks5Proxy.OpenAsync(channel, _request, _login, ct);
    }
}
