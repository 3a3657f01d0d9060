namespace Transfer.Sftp.Keys.Config;

/// <summary>
/// Finds the files of an Include line as glob(7) does, in OpenSSH's own version: <c>*</c>, <c>?</c> and <c>[…]</c> in every part of a path,
/// <c>!</c> for all but a set, classes such as <c>[:digit:]</c>, and a backslash before a literal character. A name that begins with a dot
/// is found by a pattern that begins with one. A file that is not found has no effect, so a pattern finds no less than OpenSSH's.
/// </summary>
internal static class ConfigGlob
{
    // There a backslash separates folders, and case does not matter.
    private static readonly bool IsWindows = OperatingSystem.IsWindows();

    private static readonly EnumerationOptions Everything = new() { AttributesToSkip = 0, ReturnSpecialDirectories = true };

    /// <summary>Returns the files that match, in lexical order; without a wildcard the one that is named, absent or not.</summary>
    /// <param name="root">A folder, taken literally.</param>
    /// <param name="pattern">The path below.</param>
    public static IReadOnlyList<string> Find(string root, string pattern)
    {
        if (!pattern.AsSpan().ContainsAny("*?[")) return [Path.Combine(root, Literal(pattern))];
        List<string> found = [root];
        var parts = pattern.Split(IsWindows ? ['/', '\\'] : ['/'], StringSplitOptions.RemoveEmptyEntries);
        foreach (var part in parts)
        {
            List<string> below = [];
            foreach (var folder in found) Add(folder, part, below);
            found = below;
        }
        found.RemoveAll(path => !File.Exists(path));
        found.Sort(StringComparer.Ordinal);
        return found;
    }

    private static void Add(string folder, string part, List<string> found)
    {
        if (!part.AsSpan().ContainsAny("*?["))
        {
            found.Add(Path.Combine(folder, Literal(part)));
            return;
        }
        if (!Directory.Exists(folder)) return;
        foreach (var path in Directory.EnumerateFileSystemEntries(folder, "*", Everything))
        {
            var name = Path.GetFileName(path);
            if ((name[0] != '.' || part[0] == '.') && Match(part, name)) found.Add(Path.Combine(folder, name));
        }
    }

    /// <summary>Whether a pattern matches a name, in time proportional to the product of the lengths at worst.</summary>
    public static bool Match(ReadOnlySpan<char> pattern, ReadOnlySpan<char> name)
    {
        int at = 0, star = -1, resume = 0, i = 0;
        while (i < name.Length)
        {
            if (at < pattern.Length && pattern[at] == '*')
            {
                star = ++at;
                resume = i;
            }
            else if (at < pattern.Length && LengthOf(pattern[at..], name[i]) is > 0 and var length)
            {
                at += length;
                i++;
            }
            else if (star >= 0)
            {
                // The last star takes one more.
                at = star;
                i = ++resume;
            }
            else
            {
                return false;
            }
        }
        return pattern[at..].Trim('*').IsEmpty;
    }

    // The length of the pattern's first element; 0: it does not stand for the character.
    private static int LengthOf(ReadOnlySpan<char> pattern, char c)
    {
        if (pattern[0] == '?') return 1;
        if (pattern[0] == '[' && EndOfSet(pattern) is > 0 and var end)
        {
            var set = pattern[1..end];
            var isNegated = set[0] == '!';
            if (isNegated) set = set[1..];
            var holds = Holds(set, c) || IsWindows && (Holds(set, char.ToLowerInvariant(c)) || Holds(set, char.ToUpperInvariant(c)));
            return holds != isNegated ? end + 1 : 0;
        }
        var escape = IsEscape(pattern) ? 1 : 0;
        var wanted = pattern[escape];
        return wanted == c || IsWindows && char.ToUpperInvariant(wanted) == char.ToUpperInvariant(c) ? 1 + escape : 0;
    }

    // The place of the bracket that closes a set; -1: none does, and the opening one is literal. A bracket in front is a member.
    private static int EndOfSet(ReadOnlySpan<char> pattern)
    {
        var i = pattern.Length > 1 && pattern[1] == '!' ? 2 : 1;
        for (var first = i; i < pattern.Length; i++)
        {
            if (pattern[i] == ']' && i > first) return i;
            if (ClassLength(pattern[i..]) is > 0 and var length) i += length - 1;
            else if (IsEscape(pattern[i..])) i++;
        }
        return -1;
    }

    private static bool Holds(ReadOnlySpan<char> set, char c)
    {
        for (var i = 0; i < set.Length;)
        {
            if (ClassLength(set[i..]) is > 0 and var length)
            {
                if (IsOf(set.Slice(i + 2, length - 4), c)) return true;
                i += length;
                continue;
            }
            var first = Member(set, ref i);
            var last = first;
            if (i + 1 < set.Length && set[i] == '-')
            {
                i++;
                last = Member(set, ref i);
            }
            if (c >= first && c <= last) return true;
        }
        return false;
    }

    private static char Member(ReadOnlySpan<char> set, ref int i)
    {
        if (IsEscape(set[i..])) i++;
        return set[i++];
    }

    private static int ClassLength(ReadOnlySpan<char> text) =>
        text.StartsWith("[:") && text[2..].IndexOf(":]") is >= 0 and var end ? end + 4 : 0;

    private static bool IsOf(ReadOnlySpan<char> name, char c) => name switch
    {
        "alnum" => char.IsAsciiLetterOrDigit(c),
        "alpha" => char.IsAsciiLetter(c),
        "blank" => c is ' ' or '\t',
        "cntrl" => char.IsControl(c),
        "digit" => char.IsAsciiDigit(c),
        "graph" => c is > ' ' and <= '~',
        "lower" => char.IsAsciiLetterLower(c),
        "print" => c is >= ' ' and <= '~',
        "punct" => c is > ' ' and <= '~' && !char.IsAsciiLetterOrDigit(c),
        "space" => c is ' ' or (>= '\t' and <= '\r'),
        "upper" => char.IsAsciiLetterUpper(c),
        "xdigit" => char.IsAsciiHexDigit(c),
        _ => false,
    };

    private static bool IsEscape(ReadOnlySpan<char> text) => !IsWindows && text.Length > 1 && text[0] == '\\';

    private static string Literal(string part)
    {
        if (IsWindows || !part.Contains('\\', StringComparison.Ordinal)) return part;
        var plain = new System.Text.StringBuilder();
        for (var i = 0; i < part.Length;) plain.Append(Member(part, ref i));
        return plain.ToString();
    }
}
