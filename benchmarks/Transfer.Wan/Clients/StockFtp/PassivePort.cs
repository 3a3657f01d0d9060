using System.Globalization;
using System.Text.RegularExpressions;

namespace Transfer.Wan.Clients.StockFtp;

/// <summary>
/// The port in the answer to PASV (RFC 959 4.1.2) or EPSV (RFC 2428 section 3). The address in it is passed over, as FtpWebRequest does:
/// the data connection goes where the control connection went.
/// </summary>
internal static partial class PassivePort
{
    public static int Of(StockReply reply)
    {
        if (reply.Code == 227 && Passive().Match(reply.Text) is { Success: true } passive)
        {
            var (high, low) = (Number(passive.Groups[1]), Number(passive.Groups[2]));
            if (high <= 255 && low <= 255 && (high << 8) + low > 0) return (high << 8) + low;
        }

        if (reply.Code == 229 && Extended().Match(reply.Text) is { Success: true } extended)
        {
            var port = Number(extended.Groups[2]);
            if (port is > 0 and <= 65535) return port;
        }

        throw new StockFtpException($"no port in the server's answer: {reply}");
    }

    private static int Number(Group digits) => int.Parse(digits.ValueSpan, NumberStyles.None, CultureInfo.InvariantCulture);

    [GeneratedRegex(@"\d{1,3},\d{1,3},\d{1,3},\d{1,3},([0-9]{1,3}),([0-9]{1,3})", RegexOptions.CultureInvariant)]
    private static partial Regex Passive();

    [GeneratedRegex(@"\(([!-~])\1\1([0-9]{1,5})\1\)", RegexOptions.CultureInvariant)]
    private static partial Regex Extended();
}
