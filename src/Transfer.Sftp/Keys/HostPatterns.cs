namespace Transfer.Sftp.Keys;

/// <summary>
/// Patterns of host names as in ssh_config(5) PATTERNS: <c>*</c> and <c>?</c>, a leading <c>!</c> to exclude. Case is ignored.
/// </summary>
internal static class HostPatterns
{
    /// <summary>True when one pattern matches and no excluding one does.</summary>
    public static bool Match(IEnumerable<string> patterns, string name)
    {
        var found = false;
        foreach (var pattern in patterns)
        {
            if (pattern.StartsWith('!'))
            {
                if (Match(pattern.AsSpan(1), name)) return false;
            }
            else
            {
                found |= Match(pattern, name);
            }
        }

        return found;
    }

    /// <summary>One pattern, in time proportional to the product of the lengths at worst.</summary>
    public static bool Match(ReadOnlySpan<char> pattern, ReadOnlySpan<char> name)
    {
        int at = 0, star = -1, resume = 0, i = 0;
        while (i < name.Length)
        {
            if (at < pattern.Length && pattern[at] == '*')
            {
                star = at++;
                resume = i;
            }
            else if (at < pattern.Length && (pattern[at] == '?' || char.ToLowerInvariant(pattern[at]) == char.ToLowerInvariant(name[i])))
            {
                at++;
                i++;
            }
            else if (star >= 0)
            {
                // The last star takes one more.
                at = star + 1;
                i = ++resume;
            }
            else
            {
                return false;
            }
        }

        return pattern[at..].Trim('*').IsEmpty;
    }
}
