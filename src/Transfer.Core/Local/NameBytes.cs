using System.Globalization;
using System.Text;

namespace Transfer.Local;

/// <summary>Names that are bytes (see <see cref="NameEncoding.LosslessUtf8"/>), and their form as text.</summary>
internal static class NameBytes
{
    /// <summary>Whether a name is text: no byte that is no UTF-8, and no half of a surrogate pair.</summary>
    public static bool AreText(ReadOnlySpan<char> name)
    {
        for (var at = name.IndexOfAnyInRange('\uD800', '\uDFFF'); at >= 0 && at < name.Length; at++)
        {
            if (!char.IsSurrogate(name[at])) continue;
            if (!char.IsHighSurrogate(name[at]) || at + 1 == name.Length || !char.IsLowSurrogate(name[at + 1])) return false;
            at++;
        }
        return true;
    }

    /// <summary>The name as text: a byte that is no UTF-8 becomes <c>\x</c> and two hexadecimal digits.</summary>
    public static string TextOf(string name)
    {
        if (AreText(name)) return name;
        var text = new StringBuilder(name.Length + 16);
        for (var at = 0; at < name.Length; at++)
        {
            if (char.IsSurrogatePair(name, at)) text.Append(name, at++, 2);
            else if (name[at] is >= '\uDC80' and <= '\uDCFF' and var surrogate)
                text.Append("\\x").Append((surrogate - '\uDC00').ToString("x2", CultureInfo.InvariantCulture));
            else text.Append(char.IsSurrogate(name[at]) ? '\uFFFD' : name[at]);
        }
        return text.ToString();
    }
}
