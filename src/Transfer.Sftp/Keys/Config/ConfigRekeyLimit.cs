using System.Globalization;
using Transfer.Sftp.Ssh.Settings;

namespace Transfer.Sftp.Keys.Config;

/// <summary>
/// RekeyLimit of ssh_config(5): a number of bytes (K, M, G) or <c>default</c>, then a time (seconds, or numbers with s, m, h, d, w) or
/// <c>none</c>. The limit never lengthens the life of keys.
/// </summary>
internal static class ConfigRekeyLimit
{
    /// <exception cref="TransferException"><see cref="TransferError.Protocol"/>: not understood.</exception>
    public static RekeyLimits Apply(SshConfigLine? line)
    {
        var limits = new RekeyLimits();
        if (line is null) return limits;
        var (size, time) = (line.RequireWords()[0], line.RequireWords().ElementAtOrDefault(1) ?? "none");
        if (!size.Equals("default", StringComparison.OrdinalIgnoreCase))
            limits = limits with { Bytes = Math.Min(limits.Bytes, Size(size) ?? throw ConfigValues.Bad(line, $"'{size}' is no size")) };
        if (!time.Equals("none", StringComparison.OrdinalIgnoreCase))
        {
            var seconds = Seconds(time) ?? throw ConfigValues.Bad(line, $"'{time}' is no time");
            if (seconds < limits.Time.TotalSeconds) limits = limits with { Time = TimeSpan.FromSeconds(seconds) };
        }

        return limits;
    }

    // As OpenSSH: below 16 bytes is an error.
    private static ulong? Size(string text)
    {
        var shift = char.ToUpperInvariant(text[^1]) switch
        {
            'K' => 10,
            'M' => 20,
            'G' => 30,
            _ => 0,
        };
        if (!ulong.TryParse(shift > 0 ? text[..^1] : text, NumberStyles.None, CultureInfo.InvariantCulture, out var number)) return null;
        return number > ulong.MaxValue >> shift || number << shift < 16 ? null : number << shift;
    }

    private static double? Seconds(string text)
    {
        double total = 0;
        for (var rest = text.AsSpan(); !rest.IsEmpty;)
        {
            var digits = rest.IndexOfAnyExceptInRange('0', '9');
            if (digits < 0) digits = rest.Length;
            if (!uint.TryParse(rest[..digits], NumberStyles.None, CultureInfo.InvariantCulture, out var number)) return null;
            rest = rest[digits..];
            double unit = rest.IsEmpty ? 1 : char.ToLowerInvariant(rest[0]) switch
            {
                's' => 1,
                'm' => 60,
                'h' => 3600,
                'd' => 86_400,
                'w' => 604_800,
                _ => 0,
            };
            if (unit == 0) return null;
            total += number * unit;
            if (!rest.IsEmpty) rest = rest[1..];
        }

        return total > 0 ? total : null;
    }
}
