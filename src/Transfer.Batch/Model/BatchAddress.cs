using System.Globalization;
using System.Net;
using System.Net.Sockets;

namespace Transfer.Batch;

/// <summary>The address of a receiver, as printed by the receiver: <c>transfer://host:port#TOKEN</c>.</summary>
public sealed class BatchAddress
{
    /// <summary>The scheme of such addresses.</summary>
    public const string Scheme = "transfer";

    /// <summary>The port of a receiver with a lasting address, unless the options set another.</summary>
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

    /// <summary>Parses an address.</summary>
    /// <param name="text"><c>transfer://host[:port][#TOKEN]</c>.</param>
    /// <param name="token">The token, when the text has none; other users can see the arguments of commands.</param>
    /// <exception cref="FormatException">The text is no address, or there is no token or two. The message repeats neither.</exception>
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

    /// <summary>Returns the whole address, with the token, which is as secret as a password.</summary>
    public string ToText() => $"{this}#{Token.ToText()}";

    /// <summary>The address without the token.</summary>
    public override string ToString()
    {
        var host = IPAddress.TryParse(Host, out var address) && address.AddressFamily == AddressFamily.InterNetworkV6 ? $"[{Host}]" : Host;
        return string.Create(CultureInfo.InvariantCulture, $"{Scheme}://{host}:{Port}");
    }
}
