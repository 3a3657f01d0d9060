using System.Globalization;
using System.Net;
using System.Net.Sockets;

namespace Transfer.Testing.Ftp.Data;

/// <summary>Addresses in PORT and EPRT.</summary>
internal static class DataAddress
{
    /// <summary><c>h1,h2,h3,h4,p1,p2</c> (RFC 959 4.1.2).</summary>
    public static bool TryParsePort(ReadOnlySpan<char> text, out IPEndPoint? target)
    {
        target = null;
        Span<byte> numbers = stackalloc byte[6];
        var count = 0;
        foreach (var range in text.Split(','))
        {
            if (count == 6 || !byte.TryParse(text[range], NumberStyles.None, CultureInfo.InvariantCulture, out numbers[count++]))
                return false;
        }

        if (count != 6) return false;
        target = new IPEndPoint(new IPAddress(numbers[..4]), (numbers[4] << 8) | numbers[5]);
        return true;
    }

    /// <summary><c>|1|132.235.1.2|6275|</c>, with any delimiter (RFC 2428 2).</summary>
    public static bool TryParseExtended(string text, out IPEndPoint? target)
    {
        target = null;
        if (text.Length == 0) return false;
        var parts = text.Split(text[0]);
        if (parts is not ["", var family, var host, var number, ""]) return false;
        if (!IPAddress.TryParse(host, out var address) || !ushort.TryParse(number, NumberStyles.None, CultureInfo.InvariantCulture,
            out var port))
        {
            return false;
        }

        if (family != (address.AddressFamily == AddressFamily.InterNetwork ? "1" : "2")) return false;
        target = new IPEndPoint(address, port);
        return true;
    }
}
