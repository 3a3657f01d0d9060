using System.Buffers;
using System.Globalization;
using System.Net;
using System.Net.Sockets;
using System.Text;

namespace Transfer.Dialing;

/// <summary>A host and a port to connect to, checked: the host goes into resolver queries and proxy requests unchanged.</summary>
internal readonly record struct DialTarget
{
    // Characters that would end or bend a request line or an authority (RFC 3986 section 3.2).
    private static readonly SearchValues<char> Refused = SearchValues.Create("/\\?#@:[]%<>\"");

    private DialTarget(string host, int port, IPAddress? literal)
    {
        Host = host;
        Port = port;
        Literal = literal;
    }

    /// <summary>The name in ASCII (RFC 5891), or the literal without brackets.</summary>
    public string Host { get; }

    public int Port { get; }

    /// <summary>The address itself, when the host is one.</summary>
    public IPAddress? Literal { get; }

    /// <summary>Checks a host name or IP literal; brackets around an IPv6 literal are removed.</summary>
    /// <exception cref="ArgumentException">No host name, or characters that no host name has.</exception>
    public static DialTarget Parse(string host, int port)
    {
        ArgumentException.ThrowIfNullOrEmpty(host);
        ArgumentOutOfRangeException.ThrowIfLessThan(port, IPEndPoint.MinPort + 1);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(port, IPEndPoint.MaxPort);
        var bare = host is ['[', .. var inner, ']'] ? inner : host;
        if (!bare.Contains('[', StringComparison.Ordinal) && IPAddress.TryParse(bare, out var address))
            return new DialTarget(address.ToString(), port, address);

        foreach (var rune in host.EnumerateRunes())
        {
            if (Rune.IsControl(rune) || Rune.IsWhiteSpace(rune))
                throw new ArgumentException("A host name may not contain control characters or spaces.", nameof(host));
        }
        if (host.AsSpan().ContainsAny(Refused))
            throw new ArgumentException($"'{host}' is not a host name.", nameof(host));

        var ascii = Ascii.IsValid(host) ? host : ToAscii(host);
        if (ascii.Length > 255)
            throw new ArgumentException("A host name has 255 characters at most.", nameof(host));
        return new DialTarget(ascii, port, null);
    }

    /// <summary><c>host:port</c>, with brackets around an IPv6 literal.</summary>
    public override string ToString() =>
        Literal?.AddressFamily == AddressFamily.InterNetworkV6 ? $"[{Host}]:{Port}" : $"{Host}:{Port}";

    private static string ToAscii(string host)
    {
        try
        {
            return new IdnMapping().GetAscii(host);
        }
        catch (ArgumentException e)
        {
            throw new ArgumentException($"'{host}' is not a host name.", nameof(host), e);
        }
    }
}
