namespace Transfer.Ftp.Protocol;

/// <summary>
/// The time-val of MDTM, MFMT and the modify and create facts: <c>YYYYMMDDHHMMSS[.f…]</c>, always UTC (RFC 3659 2.3).
/// </summary>
internal static class FtpTime
{
    private const int Digits = 14;

    /// <summary>The last year every zone can show.</summary>
    private const int LastYear = 9998;

    /// <summary>Parses a time-val. The form <c>19126…</c> of servers that print 1900 + years as text is understood as well.</summary>
    public static bool TryParse(ReadOnlySpan<char> value, out DateTimeOffset time)
    {
        time = default;
        var dot = value.IndexOf('.');
        var whole = dot < 0 ? value : value[..dot];
        int year;
        if (whole.Length == Digits)
        {
            if (!TryParseDigits(whole[..4], out year)) return false;
            whole = whole[4..];
        }
        else if (whole.Length == Digits + 1 && whole.StartsWith("191"))
        {
            if (!TryParseDigits(whole[2..5], out year)) return false;
            year += 1900;
            whole = whole[5..];
        }
        else
        {
            return false;
        }

        if (!TryParseDigits(whole[..2], out var month) || !TryParseDigits(whole[2..4], out var day)) return false;
        if (!TryParseDigits(whole[4..6], out var hour) || !TryParseDigits(whole[6..8], out var minute)) return false;
        if (year is < 1 or > LastYear || month is < 1 or > 12 || day < 1 || day > DateTime.DaysInMonth(year, month)) return false;
        // 60 is a leap second, which .NET lacks: the second after 59 stands in.
        if (!TryParseDigits(whole[8..10], out var second) || hour > 23 || minute > 59 || second > 60) return false;
        if (!TryParseFraction(dot < 0 ? "0" : value[(dot + 1)..], out var ticks)) return false;

        time = new DateTimeOffset(year, month, day, hour, minute, 0, TimeSpan.Zero).AddSeconds(second).AddTicks(ticks);
        return true;
    }

    /// <summary>The time of a 213 reply to MDTM (RFC 3659 section 3); null: no time.</summary>
    public static DateTimeOffset? OfReply(FtpReply reply) =>
        reply.Code == 213 && TryParse(reply.Text.AsSpan().Trim(), out var time) ? time : null;

    /// <summary>Formats for MFMT and its kin, in UTC. Fractions are cut: more servers refuse than keep them.</summary>
    public static string Format(DateTimeOffset time) => string.Create(Digits, time.UtcDateTime, static (chars, utc) =>
    {
        Write(chars[..4], utc.Year);
        Write(chars[4..6], utc.Month);
        Write(chars[6..8], utc.Day);
        Write(chars[8..10], utc.Hour);
        Write(chars[10..12], utc.Minute);
        Write(chars[12..14], utc.Second);
    });

    private static bool TryParseDigits(ReadOnlySpan<char> digits, out int value)
    {
        value = 0;
        foreach (var c in digits)
        {
            if (!char.IsAsciiDigit(c)) return false;
            value = (value * 10) + (c - '0');
        }

        return true;
    }

    private static bool TryParseFraction(ReadOnlySpan<char> digits, out long ticks)
    {
        ticks = 0;
        var unit = TimeSpan.TicksPerSecond;
        foreach (var c in digits)
        {
            if (!char.IsAsciiDigit(c)) return false;
            unit /= 10;
            ticks += (c - '0') * unit;
        }

        return !digits.IsEmpty;
    }

    private static void Write(Span<char> digits, int value)
    {
        for (var i = digits.Length - 1; i >= 0; i--)
        {
            digits[i] = (char)('0' + (value % 10));
            value /= 10;
        }
    }
}
