using System.Globalization;

namespace Transfer.Wan.Reports.Text;

/// <summary>Figures as a report writes them, the same in every culture.</summary>
internal static class Format
{
    /// <summary>Seconds with three digits that count: <c>0.84 s</c>, <c>12.3 s</c>, <c>122 s</c>; minutes from ten on.</summary>
    public static string Seconds(double seconds)
    {
        if (seconds < 600) return Digits(seconds) + " s";
        var whole = (long)Math.Round(seconds);
        return Text($"{whole / 60} min {whole % 60} s");
    }

    /// <summary>Both ends of a range; one figure where they read the same.</summary>
    public static string Range(double from, double to, Func<double, string> format)
    {
        var (a, b) = (format(from), format(to));
        return a == b ? a : $"{a} to {b}";
    }

    public static string Ratio(double ratio) => Digits(ratio) + "x";

    public static string Percent(double share) => Text($"{share * 100:0.##} %");

    public static string Milliseconds(double milliseconds) => Text($"{milliseconds:0.##} ms");

    public static string Rate(double megabits) =>
        megabits >= 1000 ? Text($"{megabits / 1000:0.##} Gbit/s") : Text($"{megabits:0.##} Mbit/s");

    /// <summary>10^6 bytes, as of memory and traffic.</summary>
    public static string Megabytes(double bytes) => (bytes >= 9.95e6 ? Text($"{bytes / 1e6:#,0}") : Text($"{bytes / 1e6:0.0}")) + " MB";

    public static string Count(long count) => Text($"{count:#,0}");

    public static string Files(int files) => files == 1 ? "1 file" : Count(files) + " files";

    /// <summary>A size as people say it: 10,240 bytes are 10 KB here as in the targets, 80 x 2^20 are 80 MiB.</summary>
    public static string Size(double bytes)
    {
        const double Mebi = 1024 * 1024;
        if (bytes >= Mebi && bytes % Mebi == 0) return Text($"{bytes / Mebi:#,0} MiB");
        if (bytes >= 1e6) return Text($"{bytes / 1e6:#,0.#} MB");
        if (bytes >= 1024 && bytes % 1024 == 0) return Text($"{bytes / 1024:0} KB");
        return bytes >= 1000 ? Text($"{bytes / 1000:0.#} KB") : Text($"{bytes:0} bytes");
    }

    /// <summary>Three digits that count, never fewer than those before the point.</summary>
    public static string Digits(double value) => value switch
    {
        < 9.995 => Text($"{value:0.00}"),
        < 99.95 => Text($"{value:0.0}"),
        _ => Text($"{value:#,0}"),
    };

    public static string Text(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
