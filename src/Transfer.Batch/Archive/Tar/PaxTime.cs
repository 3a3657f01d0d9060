using System.Globalization;

namespace Transfer.Batch.Archive.Tar;

/// <summary>Times of pax records: seconds since 1970 in UTC, with as many digits behind the point as are needed.</summary>
internal static class PaxTime
{
    private const int Digits = 7;

    /// <summary>The bytes of the longest time.</summary>
    public const int MostLength = 24;

    public static int Format(DateTime time, Span<byte> into)
    {
        var ticks = time.Ticks - DateTime.UnixEpoch.Ticks;
        var at = 0;
        if (ticks < 0) into[at++] = (byte)'-';
        var (seconds, fraction) = Math.DivRem(Math.Abs(ticks), TimeSpan.TicksPerSecond);
        seconds.TryFormat(into[at..], out var written, default, CultureInfo.InvariantCulture);
        at += written;
        if (fraction == 0) return at;
        into[at++] = (byte)'.';
        fraction.TryFormat(into[at..], out written, "D7", CultureInfo.InvariantCulture);
        at += written;
        while (into[at - 1] == '0') at--;
        return at;
    }

    /// <summary>Parses a time; null: the text is no time, or none that this system can hold.</summary>
    public static DateTime? Parse(ReadOnlySpan<byte> text)
    {
        var negative = text.StartsWith("-"u8);
        if (negative) text = text[1..];
        var point = text.IndexOf((byte)'.');
        var whole = point < 0 ? text : text[..point];
        var fraction = point < 0 ? [] : text[(point + 1)..];
        if (!TryParse(whole, out var seconds) || seconds > DateTime.MaxValue.Ticks / TimeSpan.TicksPerSecond) return null;
        if (fraction.ContainsAnyExceptInRange((byte)'0', (byte)'9')) return null;
        long ticks = 0;
        // Finer steps than this system's are cut off.
        for (var i = 0; i < Digits; i++) ticks = ticks * 10 + (i < fraction.Length ? fraction[i] - '0' : 0);
        ticks += seconds * TimeSpan.TicksPerSecond;
        ticks = DateTime.UnixEpoch.Ticks + (negative ? -ticks : ticks);
        return ticks < 0 || ticks > DateTime.MaxValue.Ticks ? null : new DateTime(ticks, DateTimeKind.Utc);
    }

    private static bool TryParse(ReadOnlySpan<byte> digits, out long value) =>
        long.TryParse(digits, NumberStyles.None, CultureInfo.InvariantCulture, out value);
}
