namespace Transfer.Wan.Reports.Charts;

/// <summary>
/// Colours that people with any colour vision tell apart (those of Okabe and Ito), once for white and once for dark; each series has a mark
/// of its own besides.
/// </summary>
internal static class Palette
{
    public static IReadOnlyList<(string OnWhite, string OnDark)> Colours { get; } =
    [
        ("#0072b2", "#56b4e9"),
        ("#d55e00", "#ff9d5c"),
        ("#00805e", "#2fd6a5"),
        ("#a8467c", "#e9a3cb"),
        ("#9a6700", "#e6b800"),
        ("#3f3f9f", "#a9a9ff"),
        ("#5c5c5c", "#b8b8b8"),
    ];

    /// <summary>The class of a series' colour; colours come round again, marks do not at the same time.</summary>
    public static string ClassOf(int series) => Text.Format.Text($"s{series % Colours.Count}");
}
