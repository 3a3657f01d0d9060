using System.Globalization;
using System.Text;

namespace Transfer.Cli.Output;

/// <summary>Makes names from servers safe to show: a control character could move the cursor or recolour the terminal.</summary>
internal static class Printable
{
    /// <summary>Control characters become <c>?</c>, and bytes that are no UTF-8 (see <see cref="NameEncoding.LosslessUtf8"/>) <c>\xNN</c>.</summary>
    public static string Text(string text)
    {
        if (IsPlain(text)) return text;
        var result = new StringBuilder(text.Length + 8);
        for (var i = 0; i < text.Length; i++)
        {
            var c = text[i];
            if (char.IsHighSurrogate(c) && i + 1 < text.Length && char.IsLowSurrogate(text[i + 1])) result.Append(c).Append(text[++i]);
            else if (c is >= '\uDC80' and <= '\uDCFF') result.Append(CultureInfo.InvariantCulture, $"\\x{c - 0xDC00:x2}");
            else if (char.IsSurrogate(c) || IsHidden(c)) result.Append('?');
            else result.Append(c);
        }

        return result.ToString();
    }

    /// <summary>The same, with line ends and tabs kept: for messages of several lines.</summary>
    public static string Lines(string text) => string.Join('\n', text.Split('\n').Select(line => Text(line.TrimEnd('\r').Replace('\t', ' '))));

    private static bool IsPlain(string text)
    {
        foreach (var c in text)
            if (char.IsSurrogate(c) || IsHidden(c)) return false;
        return true;
    }

    // Bidirectional overrides can make one name look like another.
    private static bool IsHidden(char c) => char.IsControl(c) || c is (>= '\u202A' and <= '\u202E') or (>= '\u2066' and <= '\u2069') or '\u2028' or '\u2029';
}
