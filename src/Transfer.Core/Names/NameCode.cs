using System.Buffers;
using System.Globalization;
using System.Text;

namespace Transfer.Names;

/// <summary>
/// Replaces names that a system refuses: refused characters become the bytes of their UTF-8, each as a % and two hexadecimal digits. A % is
/// replaced only where it would look like such a byte, so that every name can be recovered from its replacement, and no two names become
/// one.
/// </summary>
internal sealed class NameCode
{
    private readonly SearchValues<char> _refused;
    private readonly bool _windows;
    private readonly bool _isText;

    private NameCode(string refused, bool windows = false, bool isText = false)
    {
        _refused = SearchValues.Create(refused);
        _windows = windows;
        _isText = isText;
    }

    /// <summary>The code for names that Windows refuses.</summary>
    public static NameCode Windows { get; } = new(WindowsNames.Refused, windows: true, isText: true);

    /// <summary>The code for names that cannot be sent to servers.</summary>
    public static NameCode Server { get; } = new("\r\n");

    /// <summary>The code only for names that are taken for one.</summary>
    public static NameCode Twins { get; } = new(string.Empty);

    /// <summary>The code for names that are taken for one, and for names that are not text (UTF-8).</summary>
    public static NameCode Text { get; } = new(string.Empty, isText: true);

    /// <summary>Returns the replacement of a name; the name itself where no character is refused.</summary>
    /// <param name="name">The name.</param>
    /// <param name="first">
    /// A twin that keeps its name: characters that differ from the twin's are written as bytes too. Null: no twin.
    /// </param>
    public string Encode(string name, string? first = null)
    {
        var isDevice = _windows && WindowsNames.DeviceOf(name) is not null;
        StringBuilder? text = null;
        for (int i = 0, next; i < name.Length; i = next)
        {
            next = i + (char.IsSurrogatePair(name, i) ? 2 : 1);
            var character = name.AsSpan(i, next - i);
            if (!(i == 0 && isDevice) && !IsRefused(name, i) && (first is null || IsAsIn(first, name, i, character)))
            {
                text?.Append(character);
                continue;
            }
            text ??= new StringBuilder(name, 0, i, name.Length + 16);
            foreach (var value in NameEncoding.LosslessUtf8.GetBytes(name, i, character.Length))
                text.Append('%').Append(value.ToString("X2", CultureInfo.InvariantCulture));
        }
        return text?.ToString() ?? name;
    }

    /// <summary>Returns the original of a replacement; the name itself where nothing was replaced.</summary>
    public string Decode(string name)
    {
        if (!name.Contains('%', StringComparison.Ordinal)) return name;
        var bytes = new ArrayBufferWriter<byte>(name.Length);
        for (int i = 0, next; i < name.Length; i = next)
        {
            if (LooksLikeByte(name, i, out var value))
            {
                bytes.Write([value]);
                next = i + 3;
            }
            else
            {
                next = i + (char.IsSurrogatePair(name, i) ? 2 : 1);
                bytes.Write(NameEncoding.LosslessUtf8.GetBytes(name, i, next - i));
            }
        }
        return NameEncoding.LosslessUtf8.GetString(bytes.WrittenSpan);
    }

    private bool IsRefused(string name, int at) =>
        _refused.Contains(name[at]) || _isText && char.IsSurrogate(name[at]) && !char.IsSurrogatePair(name, at) || _windows
            && at == name.Length - 1 && WindowsNames.LosesAtEnd(name[at]) || LooksLikeByte(name, at, out _);

    // Twins differ only in letters, and in characters beyond ASCII, which may have several forms of different lengths.
    private static bool IsAsIn(string first, string name, int at, ReadOnlySpan<char> character) =>
        !MayHaveTwin(name[at]) || first.Length == name.Length && first.AsSpan(at, character.Length).SequenceEqual(character);

    private static bool MayHaveTwin(char c) => char.IsAsciiLetter(c) || c > '\u007f';

    // Only bytes that Encode would write: most names with a % come from browsers, where %20 is a blank.
    private bool LooksLikeByte(string name, int at, out byte value)
    {
        value = 0;
        if (name[at] != '%' || at + 2 >= name.Length
            || !byte.TryParse(name.AsSpan(at + 1, 2), NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out value))
        {
            return false;
        }

        var c = (char)value;
        return c == '%' || MayHaveTwin(c) || _refused.Contains(c) || _windows && at + 3 == name.Length && WindowsNames.LosesAtEnd(c);
    }
}
