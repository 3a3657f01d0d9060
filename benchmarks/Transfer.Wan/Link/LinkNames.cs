using System.Globalization;
using Transfer.Wan.Records;

namespace Transfer.Wan.Link;

/// <summary>Links' names in records: <c>100ms-500M-jitter10ms-loss0.2</c>.</summary>
internal static class LinkNames
{
    public const string Loopback = "loopback";

    public static string Of(LinkShape shape)
    {
        var name = Invariant($"{shape.RoundTrip}ms-{shape.Rate}M");
        if (shape.Jitter > 0) name += Invariant($"-jitter{shape.Jitter}ms");
        return shape.Loss > 0 ? name + Invariant($"-loss{Math.Round(shape.Loss * 100, 3)}") : name;
    }

    private static string Invariant(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
