using System.Globalization;

namespace Transfer.Cli.Output;

/// <summary>Sizes, rates and times for people.</summary>
internal static class Quantity
{
    private static readonly string[] Units = ["B", "kB", "MB", "GB", "TB", "PB", "EB"];

    /// <summary>Bytes with three digits and a decimal unit: <c>512 B</c>, <c>1.21 MB</c>.</summary>
    public static string Bytes(double bytes)
    {
        var unit = 0;
        while (bytes >= 999.5 && unit < Units.Length - 1)
        {
            bytes /= 1000;
            unit++;
        }

        var format = unit == 0 || bytes >= 99.95 ? "F0" : bytes >= 9.995 ? "F1" : "F2";
        return bytes.ToString(format, CultureInfo.InvariantCulture) + " " + Units[unit];
    }

    public static string Rate(double bytes, TimeSpan elapsed) =>
        elapsed > TimeSpan.Zero ? Bytes(bytes / elapsed.TotalSeconds) + "/s" : "-";

    /// <summary><c>0.42 s</c>, <c>12.3 s</c>, <c>4:05</c>, <c>1:02:03</c>.</summary>
    public static string Time(TimeSpan time) => time switch
    {
        { TotalSeconds: < 9.995 } => time.TotalSeconds.ToString("F2", CultureInfo.InvariantCulture) + " s",
        { TotalSeconds: < 60 } => time.TotalSeconds.ToString("F1", CultureInfo.InvariantCulture) + " s",
        { TotalHours: < 1 } => time.ToString(@"m\:ss", CultureInfo.InvariantCulture),
        _ => string.Create(CultureInfo.InvariantCulture, $"{(long)time.TotalHours}:{time.Minutes:D2}:{time.Seconds:D2}"),
    };

    public static string Files(long count) => count == 1 ? "1 file" : count.ToString(CultureInfo.InvariantCulture) + " files";
}
