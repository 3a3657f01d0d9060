using System.Text;

namespace Transfer.Cli.Urls;

/// <summary>
/// A pattern for one name, as a POSIX shell has it (IEEE 1003.1, 2.14): <c>*</c>, <c>?</c>, <c>[a-z]</c>, <c>[!a-z]</c>; a backslash takes
/// the next character's meaning away. A leading dot must be matched by a dot. Case counts.
/// </summary>
internal sealed class Glob
{
    private readonly string _pattern;
    private readonly bool _matchesDots;

    /// <param name="pattern">The pattern.</param>
    /// <param name="matchesDots">Whether a leading dot is a character as others are.</param>
    public Glob(string pattern, bool matchesDots = false) => (_pattern, _matchesDots) = (pattern, matchesDots);

    /// <summary>
    /// The pattern in a URL's last part, still percent-encoded, or null when it is a plain name. What is encoded is literal.
    /// </summary>
    public static Glob? FromUrl(ReadOnlySpan<char> raw)
    {
        if (!HasWildcard(raw)) return null;
        var pattern = new StringBuilder(raw.Length + 8);
        while (raw.Length > 0)
        {
            var escapes = 0;
            while (raw.Length - escapes >= 3 && raw[escapes] == '%') escapes += 3;
            if (escapes > 0)
            {
                // A run of escapes is decoded as one: several of them may make one character.
                foreach (var c in PercentEncoding.DecodeName(raw[..escapes], "The URL's path")) Literal(c);
                raw = raw[escapes..];
                continue;
            }

            if (raw[0] == '\\') Literal('\\');
            else pattern.Append(raw[0]);
            raw = raw[1..];
        }

        return new Glob(pattern.ToString());

        void Literal(char c)
        {
            if (c is '*' or '?' or '[' or ']' or '\\' or '!' or '^' or '-') pattern.Append('\\');
            pattern.Append(c);
        }
    }

    public bool IsMatch(string name)
    {
        var hasDot = _pattern.StartsWith('.') || _pattern.StartsWith("\\.", StringComparison.Ordinal);
        if (!_matchesDots && name.StartsWith('.') && !hasDot) return false;

        // Only the last star is ever gone back to: the ones before it have matched as little as they could.
        int p = 0, n = 0, starP = -1, starN = 0;
        while (n < name.Length)
        {
            if (p < _pattern.Length && _pattern[p] == '*')
            {
                starP = ++p;
                starN = n;
            }
            else if (p < _pattern.Length && MatchOne(name[n], ref p))
            {
                n++;
            }
            else if (starP >= 0)
            {
                p = starP;
                n = ++starN;
            }
            else
            {
                return false;
            }
        }

        while (p < _pattern.Length && _pattern[p] == '*') p++;
        return p == _pattern.Length;
    }

    private static bool HasWildcard(ReadOnlySpan<char> raw)
    {
        var open = raw.IndexOf('[');
        return raw.ContainsAny('*', '?') || (open >= 0 && raw[open..].Contains(']'));
    }

    private bool MatchOne(char c, ref int p)
    {
        switch (_pattern[p])
        {
            case '?':
                p++;
                return true;
            case '[' when MatchSet(c, p, out var end) is { } matched:
                p = end;
                return matched;
            case '\\' when p + 1 < _pattern.Length:
                p += 2;
                return _pattern[p - 1] == c;
            default:
                return _pattern[p++] == c;
        }
    }

    /// <summary>Null: the bracket is never closed and so is an ordinary character.</summary>
    private bool? MatchSet(char c, int open, out int end)
    {
        var p = open + 1;
        var negated = p < _pattern.Length && _pattern[p] is '!' or '^';
        if (negated) p++;
        var first = p;
        var matched = false;
        while (p < _pattern.Length && (_pattern[p] != ']' || p == first))
        {
            var low = Element(ref p);
            var high = low;
            if (p + 1 < _pattern.Length && _pattern[p] == '-' && _pattern[p + 1] != ']')
            {
                p++;
                high = Element(ref p);
            }

            matched |= c >= low && c <= high;
        }

        end = p + 1;
        return p < _pattern.Length ? matched != negated : null;
    }

    private char Element(ref int p)
    {
        if (_pattern[p] == '\\' && p + 1 < _pattern.Length) p++;
        return _pattern[p++];
    }
}
