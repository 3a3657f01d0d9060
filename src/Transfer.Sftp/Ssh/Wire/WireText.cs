using System.Globalization;
using System.Text;

namespace Transfer.Sftp.Ssh.Wire;

/// <summary>
/// A peer's text for messages and logs: bounded, on one line, without characters that could steer a terminal (RFC 4251 section 9.2).
/// </summary>
internal static class WireText
{
    private const int MaxLength = 512;

    public static string Clean(string text)
    {
        if (text.Length <= MaxLength && !text.AsSpan().ContainsAnyExceptInRange(' ', '~')) return text.Trim();
        var clean = new StringBuilder(Math.Min(text.Length, MaxLength));
        foreach (var rune in text.EnumerateRunes())
        {
            if (clean.Length >= MaxLength) return clean.Append('…').ToString();
            if (Rune.IsControl(rune) || Rune.GetUnicodeCategory(rune) is UnicodeCategory.Format or UnicodeCategory.LineSeparator
                or UnicodeCategory.ParagraphSeparator)
            {
                clean.Append(' ');
            }
            else
            {
                clean.Append(rune);
            }
        }

        return clean.ToString().Trim();
    }
}
