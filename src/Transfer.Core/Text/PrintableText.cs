using System.Globalization;
using System.Text;

namespace Transfer;

/// <summary>
/// The form in which people see names and servers' texts: one line, without characters that steer a terminal or make one name look like
/// another. Messages of <see cref="TransferException"/> and of the log have this form; the values beside a log message, and
/// <see cref="RemoteEntry.Path"/>, are exact.
/// </summary>
public static class PrintableText
{
    // A shorter secret is a part of many words.
    private const int ShortestSecret = 4;

    /// <summary>
    /// Replaces control characters (C0, DEL and C1), the ends of lines and paragraphs, and characters that set the direction of writing by
    /// <c>?</c>; a byte that is not UTF-8 (see <see cref="NameEncoding.LosslessUtf8"/>) by <c>\x</c> and two hexadecimal digits. Not to be
    /// parsed: other names may look the same.
    /// </summary>
    /// <param name="text">Any text, of any length.</param>
    public static string Of(string text)
    {
        ArgumentNullException.ThrowIfNull(text);
        var at = IndexOfHidden(text, 0);
        if (at < 0) return text;
        var result = new StringBuilder(text.Length + 16);
        var copied = 0;
        for (; at >= 0; at = IndexOfHidden(text, copied))
        {
            result.Append(text, copied, at - copied);
            if (text[at] is >= '\uDC80' and <= '\uDCFF' and var surrogate)
                result.Append(CultureInfo.InvariantCulture, $"\\x{surrogate - '\uDC00':x2}");
            else result.Append('?');
            copied = at + 1;
        }

        return result.Append(text, copied, text.Length - copied).ToString();
    }

    /// <summary>
    /// Replaces a secret that a server repeats in a text by <c>***</c>, whatever the case. A secret of less than four characters is a part
    /// of many words, and stays.
    /// </summary>
    /// <param name="text">Any text, of any length.</param>
    /// <param name="secret">The password or the like; null: none.</param>
    public static string WithoutSecret(string text, string? secret)
    {
        ArgumentNullException.ThrowIfNull(text);
        return secret is { Length: >= ShortestSecret } ? text.Replace(secret, "***", StringComparison.OrdinalIgnoreCase) : text;
    }

    private static int IndexOfHidden(string text, int from)
    {
        for (var at = from; at < text.Length; at++)
        {
            var c = text[at];
            if (char.IsHighSurrogate(c) && at + 1 < text.Length && char.IsLowSurrogate(text[at + 1])) at++;
            else if (char.IsSurrogate(c) || IsHidden(c)) return at;
        }

        return -1;
    }

    // Zero-width characters that letters need (ZWJ, ZWNJ) stay; marks and overrides of direction do not.
    private static bool IsHidden(char c) =>
        char.IsControl(c) || c is '\u061C' or '\u200E' or '\u200F' or (>= '\u2028' and <= '\u202E') or (>= '\u2066' and <= '\u2069')
            or '\uFEFF' or (>= '\uFFF9' and <= '\uFFFB');
}
