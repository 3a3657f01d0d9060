using System.Globalization;
using System.Net;
using System.Net.Sockets;

namespace Transfer.Batch;

/// <summary>Where a receiver listens, as it prints it: <c>transfer://host:port#TOKEN</c>.</summary>
public sealed class BatchAddress
{
    /// <summary>The scheme of such addresses.</summary>
    public const string Scheme = "transfer";

    /// <summary>Where a receiver listens that is to be found again, unless it is told otherwise.</summary>
    public const int DefaultPort = 4780;

    /// <summary>Puts an address together.</summary>
    /// <param name="host">A host name or an IP address, IPv6 without brackets.</param>
    /// <param name="port">The port.</param>
    /// <param name="token">The receiver's token.</param>
    public BatchAddress(string host, int port, BatchToken token)
    {
        ArgumentException.ThrowIfNullOrEmpty(host);
        ArgumentOutOfRangeException.ThrowIfLessThan(port, 1);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(port, IPEndPoint.MaxPort);
        ArgumentNullException.ThrowIfNull(token);
        Host = host;
        Port = port;
        Token = token;
    }

    /// <summary>A host name or an IP address, IPv6 without brackets.</summary>
    public string Host { get; }

    /// <summary>The port.</summary>
    public int Port { get; }

    /// <summary>The receiver's token.</summary>
    public BatchToken Token { get; }

    /// <summary>Reads an address.</summary>
    /// <param name="text"><c>transfer://host[:port][#TOKEN]</c>.</param>
    /// <param name="token">The token, where the text has none; arguments of commands can be seen by others.</param>
    /// <exception cref="FormatException">It is none, or has no token or two. The message repeats neither.</exception>
    public static BatchAddress Parse(string text, BatchToken? token = null)
    {
        ArgumentNullException.ThrowIfNull(text);
        if (!Uri.TryCreate(text, UriKind.Absolute, out var uri) || uri.Scheme != Scheme || uri.Host.Length == 0)
            throw new FormatException("This is no address of a receiver: it looks like transfer://host:port#TOKEN.");
        if (uri.AbsolutePath is not ("" or "/") || uri.Query.Length > 0 || uri.UserInfo.Length > 0)
            throw new FormatException("A receiver's address has host, port and token, and nothing else: transfer://host:port#TOKEN.");
        var fragment = uri.Fragment.TrimStart('#');
        if (fragment.Length > 0 && token is not null) throw new FormatException("The address has a token, and another one was given.");
        if (fragment.Length == 0 && token is null) throw new FormatException("The address has no token: transfer://host:port#TOKEN.");
        return new BatchAddress(uri.IdnHost, uri.Port < 0 ? DefaultPort : uri.Port, token ?? BatchToken.Parse(fragment));
    }

    /// <summary>The whole address, with the token. Keep it as you would a password.</summary>
    public string ToText() => $"{this}#{Token.ToText()}";

    /// <summary>The address without the token.</summary>
    public override string ToString()
    {
        var host = IPAddress.TryParse(Host, out var address) && address.AddressFamily == AddressFamily.InterNetworkV6 ? $"[{Host}]" : Host;
        return string.Create(CultureInfo.InvariantCulture, $"{Scheme}://{host}:{Port}");
    }
}
