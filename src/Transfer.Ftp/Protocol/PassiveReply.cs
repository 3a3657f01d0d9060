using System.Net;

namespace Transfer.Ftp.Protocol;

/// <summary>Parses the address at which a server listens for a data connection.</summary>
internal static class PassiveReply
{
    /// <summary>
    /// Parses the port in a 229: "(&lt;d&gt;&lt;d&gt;&lt;d&gt;port&lt;d&gt;)" with any printable delimiter (RFC 2428 section 3), in
    /// parentheses or elsewhere. Protocol and address should be empty; if a server fills them in, both are ignored.
    /// </summary>
    public static bool TryParseEpsv(FtpReply reply, out int port)
    {
        port = 0;
        foreach (var line in reply.Lines)
            if (TryParseEpsv(line, out port)) return true;
        return false;
    }

    private static bool TryParseEpsv(ReadOnlySpan<char> text, out int port)
    {
        if (TryFields(text[(text.IndexOf('(') + 1)..].TrimStart(' '), out port)) return true;
        // Without parentheses, protocol and address have to be empty.
        for (var i = 0; i + 2 < text.Length; i++)
        {
            if (text[i] == text[i + 1] && text[i] == text[i + 2] && TryFields(text[i..], out port)) return true;
        }
        return false;
    }

    private static bool TryFields(ReadOnlySpan<char> text, out int port)
    {
        port = 0;
        if (text.IsEmpty || text[0] is < '!' or > '~' || char.IsAsciiLetterOrDigit(text[0]))
            return false;
        var delimiter = text[0];
        text = text[1..];
        for (var field = 0; field < 2; field++)
        {
            var end = text.IndexOf(delimiter);
            if (end < 0)
                return false;
            text = text[(end + 1)..];
        }

        var last = text.IndexOf(delimiter);
        return last > 0 && TryNumber(text[..last], IPEndPoint.MaxPort, out port) && port > 0;
    }

    /// <summary>
    /// Parses the six numbers of a 227 (RFC 959 section 4.1.2, PASV), in parentheses or elsewhere (RFC 1123 section 4.1.2.6).
    /// </summary>
    public static bool TryParsePasv(FtpReply reply, out IPEndPoint endPoint)
    {
        endPoint = new IPEndPoint(IPAddress.None, 0);
        foreach (var line in reply.Lines)
            if (TryParsePasv(line, out endPoint)) return true;
        return false;
    }

    private static bool TryParsePasv(ReadOnlySpan<char> text, out IPEndPoint endPoint)
    {
        Span<byte> numbers = stackalloc byte[6];
        for (var i = 0; i < text.Length; i++)
        {
            // A number starts here; numbers that are part of longer ones, or of the text before, do not count.
            if (!char.IsAsciiDigit(text[i]) || (i > 0 && (char.IsAsciiLetterOrDigit(text[i - 1]) || text[i - 1] is ',' or '.')))
                continue;
            if (!TrySix(text[i..], numbers))
                continue;
            var port = (numbers[4] << 8) | numbers[5];
            endPoint = new IPEndPoint(new IPAddress(numbers[..4]), port);
            return port > 0;
        }

        endPoint = new IPEndPoint(IPAddress.None, 0);
        return false;
    }

    /// <summary>
    /// Returns the address to connect to. A server behind address translation announces an address of its own network, and a hostile one
    /// announces a third party's: so only the port counts, and the address is always that of the control connection's peer.
    /// </summary>
    public static IPEndPoint Fix(IPEndPoint announced, IPEndPoint controlPeer) => new(controlPeer.Address, announced.Port);

    /// <summary>
    /// The same for servers that move data by other machines, which they announce. A public server that announces a private address is
    /// behind address translation, or hostile:
    /// the address would be one of our own network.
    /// </summary>
    public static IPEndPoint Follow(IPEndPoint announced, IPEndPoint controlPeer) =>
        announced.Address.Equals(IPAddress.Any) || (IsPublic(controlPeer.Address) && !IsPublic(announced.Address)) ? Fix(announced,
        controlPeer) : announced;

    // RFC 6890, RFC 4193, RFC 4291 section 2.5.6.
    private static bool IsPublic(IPAddress address)
    {
        if (IPAddress.IsLoopback(address) || address.IsIPv6LinkLocal || address.IsIPv6UniqueLocal) return false;
        return address.GetAddressBytes() is not [0 or 10 or 127, _, _, _] and not [100, >= 64 and < 128, _, _]
            and not [169, 254, _, _] and not [172, >= 16 and < 32, _, _] and not [192, 168, _, _] and not [>= 224, _, _, _];
    }

    private static bool TrySix(ReadOnlySpan<char> text, Span<byte> numbers)
    {
        for (var n = 0; n < numbers.Length; n++)
        {
            var digits = text.IndexOfAnyExceptInRange('0', '9');
            if (digits < 0)
                digits = text.Length;
            if (!TryNumber(text[..digits], byte.MaxValue, out var value))
                return false;
            numbers[n] = (byte)value;
            text = text[digits..];
            if (n == numbers.Length - 1)
                return text.IsEmpty || text[0] != ',';
            if (text.IsEmpty || text[0] != ',')
                return false;
            text = text[1..].TrimStart(' ');
        }

        return true;
    }

    private static bool TryNumber(ReadOnlySpan<char> digits, int max, out int value)
    {
        value = 0;
        if (digits.IsEmpty || digits.Length > 5)
            return false;
        foreach (var c in digits)
        {
            if (!char.IsAsciiDigit(c))
                return false;
            value = (value * 10) + c - '0';
        }

        return value <= max;
    }
}
