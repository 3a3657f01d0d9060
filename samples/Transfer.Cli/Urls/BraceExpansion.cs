namespace Transfer.Cli.Urls;

/// <summary>
/// Expands alternatives in braces, as shells do: <c>a{b,c}d</c> is <c>abd</c> and <c>acd</c>; nested ones too. Braces without a comma, or
/// without the other brace, are characters as others are; a backslash takes the next character's meaning away.
/// </summary>
internal static class BraceExpansion
{
    /// <summary>The most texts that one may stand for.</summary>
    public const int Most = 1000;

    /// <summary>The texts that a text stands for, in order.</summary>
    /// <exception cref="UsageException">There are too many.</exception>
    public static IReadOnlyList<string> Expand(string text)
    {
        var results = new List<string>();
        Add(text, 0, results);
        return results;
    }

    private static void Add(string text, int from, List<string> results)
    {
        if (results.Count >= Most) throw new UsageException($"A pattern with braces stands for {Most} others at most.");
        if (Find(text, from) is not var (open, close, parts))
        {
            results.Add(text);
            return;
        }

        // What one alternative holds may have braces of its own, so the search goes on where the group began.
        foreach (var part in parts) Add(string.Concat(text.AsSpan(0, open), part, text.AsSpan(close + 1)), open, results);
    }

    private static (int Open, int Close, List<string> Parts)? Find(string text, int from)
    {
        for (var open = from; open < text.Length; open++)
        {
            if (text[open] == '\\') open++;
            else if (text[open] == '{' && Split(text, open) is var (close, parts)) return (open, close, parts);
        }

        return null;
    }

    // The alternatives of the group that begins at a brace; null: it is no group.
    private static (int Close, List<string> Parts)? Split(string text, int open)
    {
        var (depth, start, parts) = (0, open + 1, new List<string>());
        for (var i = open; i < text.Length; i++)
        {
            switch (text[i])
            {
                case '\\':
                    i++;
                    break;
                case '{':
                    depth++;
                    break;
                case ',' when depth == 1:
                    parts.Add(text[start..i]);
                    start = i + 1;
                    break;
                case '}' when --depth == 0:
                    if (parts.Count == 0) return null;
                    parts.Add(text[start..i]);
                    return (i, parts);
            }
        }

        return null;
    }
}
