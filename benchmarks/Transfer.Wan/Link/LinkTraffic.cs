using System.Globalization;

namespace Transfer.Wan.Link;

/// <summary>Bytes of packets that an end of a link has sent and received so far.</summary>
internal readonly record struct LinkTraffic(long Sent, long Received)
{
    // Of a device's figures: bytes received are the first of eight, then come as many for what it sent.
    private const int SentField = 8;

    public static LinkTraffic operator -(LinkTraffic later, LinkTraffic earlier) =>
        new(later.Sent - earlier.Sent, later.Received - earlier.Received);

    /// <summary>Reads a device's line of <c>/proc/net/dev</c>.</summary>
    /// <exception cref="FormatException">It has no such device.</exception>
    public static LinkTraffic Of(string device, IEnumerable<string> lines)
    {
        foreach (var line in lines)
        {
            if (line.Split(':', 2) is not [var name, var figures] || name.Trim() != device) continue;
            var bytes = figures.Split(' ', StringSplitOptions.RemoveEmptyEntries);
            return new LinkTraffic(long.Parse(bytes[SentField], CultureInfo.InvariantCulture),
                long.Parse(bytes[0], CultureInfo.InvariantCulture));
        }

        throw new FormatException($"There is no device {device}.");
    }
}
