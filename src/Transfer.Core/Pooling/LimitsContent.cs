using System.Globalization;

namespace Transfer.Pooling;

/// <summary>
/// The lines of a limits file. A line is the hash of a server, a number of sessions or a word of traits, and when that was learned, in
/// seconds since 1970.
/// </summary>
internal sealed class LimitsContent
{
    public const int KeyLength = 32;

    /// <summary>The number of sessions that a server allows a user.</summary>
    public Dictionary<string, RememberedLimit> Limits { get; } = new(StringComparer.Ordinal);

    /// <summary>The traits of a server that a provider found.</summary>
    public Dictionary<string, RememberedTraits> Traits { get; } = new(StringComparer.Ordinal);

    /// <summary>The lines, the latest first.</summary>
    public IEnumerable<string> Lines => Limits
        .Select(one => (one.Key, Word: one.Value.Sessions.ToString(CultureInfo.InvariantCulture), one.Value.Learned))
        .Concat(Traits.Select(one => (one.Key, Word: one.Value.Text, one.Value.Learned)))
        .OrderByDescending(one => one.Learned)
        .Select(one => string.Create(CultureInfo.InvariantCulture, $"{one.Key} {one.Word} {one.Learned.ToUnixTimeSeconds()}\n"));

    /// <summary>Adds a line; false: not a line of this file.</summary>
    /// <param name="line">The line, without its end.</param>
    /// <param name="isKept">Whether a line of that time is still of use.</param>
    public bool TryAdd(string line, Func<DateTimeOffset, bool> isKept)
    {
        var parts = line.Split(' ');
        if (parts.Length != 3 || parts[0].Length != KeyLength || !parts[0].All(char.IsAsciiHexDigitLower)) return false;
        if (!uint.TryParse(parts[2], NumberStyles.None, CultureInfo.InvariantCulture, out var seconds)) return false;
        var learned = DateTimeOffset.FromUnixTimeSeconds(seconds);
        if (RememberedTraits.IsText(parts[1]))
        {
            if (isKept(learned)) Traits[parts[0]] = new RememberedTraits(parts[1], learned);
            return true;
        }
        if (!int.TryParse(parts[1], NumberStyles.None, CultureInfo.InvariantCulture, out var sessions) || sessions == 0) return false;
        if (isKept(learned)) Limits[parts[0]] = new RememberedLimit(sessions, learned);
        return true;
    }
}
