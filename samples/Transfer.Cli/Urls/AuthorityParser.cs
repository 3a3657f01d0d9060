using System.Globalization;
using System.Net;
using System.Net.Sockets;

namespace Transfer.Cli.Urls;

/// <summary>Host and port (RFC 3986 sections 3.2.2 and 3.2.3).</summary>
internal static class AuthorityParser
{
    /// <summary>Parses <c>host</c>, <c>host:port</c> or <c>[IPv6]:port</c>.</summary>
    public static (string Host, int? Port) ParseHostAndPort(ReadOnlySpan<char> text, string what)
    {
        if (text.StartsWith('['))
        {
            var close = text.IndexOf(']');
            if (close < 0) throw new UsageException($"{what} has an IPv6 address without its closing bracket.");
            var after = text[(close + 1)..];
            if (after.Length > 0 && after[0] != ':')
                throw new UsageException($"{what} has something other than a port behind the IPv6 address.");
            return (ParseAddress(text[1..close], what), after.IsEmpty ? null : ParsePort(after[1..], what));
        }

        var colon = text.IndexOf(':');
        var host = ParseName(colon < 0 ? text : text[..colon], what);
        return (host, colon < 0 ? null : ParsePort(text[(colon + 1)..], what));
    }

    private static string ParseAddress(ReadOnlySpan<char> text, string what)
    {
        // The zone of a link-local address: %25 as RFC 6874 has it, or % as everyone types it.
        var percent = text.IndexOf('%');
        var zone = percent < 0 ? default : text[(percent + 1)..];
        if (zone.StartsWith("25") && zone.Length > 2) zone = zone[2..];
        var address = percent < 0 ? text : text[..percent];
        if (!IPAddress.TryParse(address, out var parsed) || parsed.AddressFamily != AddressFamily.InterNetworkV6)
            throw new UsageException($"{what} has brackets around something that is no IPv6 address.");
        if (percent < 0) return parsed.ToString();
        foreach (var c in zone)
        {
            if (!char.IsAsciiLetterOrDigit(c) && c is not ('-' or '.' or '_'))
                throw new UsageException($"{what} has an IPv6 zone that is no interface's name.");
        }

        return zone.IsEmpty ? throw new UsageException($"{what} has an empty IPv6 zone.") : $"{parsed}%{zone}";
    }

    private static string ParseName(ReadOnlySpan<char> text, string what)
    {
        if (text.IsEmpty) throw new UsageException($"{what} has no host name.");
        var name = PercentEncoding.DecodeText(text, what + "'s host name");
        try
        {
            if (!System.Text.Ascii.IsValid(name)) name = new IdnMapping { UseStd3AsciiRules = true }.GetAscii(name);
        }
        catch (ArgumentException)
        {
            throw new UsageException($"{what} has a host name that is not valid (IDNA).");
        }

        name = name.ToLowerInvariant();
        foreach (var c in name)
        {
            if (!char.IsAsciiLetterOrDigit(c) && c is not ('-' or '.' or '_'))
                throw new UsageException($"{what} has a character in its host name that none can have.");
        }

        if (name.Length > 254 || name.StartsWith('.') || name.Contains("..", StringComparison.Ordinal))
            throw new UsageException($"{what} has a host name that is not valid.");
        return name;
    }

    private static int? ParsePort(ReadOnlySpan<char> text, string what)
    {
        if (text.IsEmpty) return null;
        if (text.ContainsAnyExceptInRange('0', '9') || !int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out var port)
            || port is < 1 or > 65535)
        {
            throw new UsageException($"{what} has a port that is no number from 1 to 65535. (A / in a password is written %2F.)");
        }

        return port;
    }
}
