namespace Transfer.Cli.Options;

/// <summary>Finds the name that a mistyped one most likely stands for.</summary>
internal static class NearName
{
    private const int MostEdits = 2;

    /// <summary>The name with the fewest edits from a text; null: none is near.</summary>
    public static string? Of(string text, IEnumerable<string> names)
    {
        var (nearest, least) = ((string?)null, Math.Min(MostEdits, text.Trim('-').Length / 2) + 1);
        foreach (var name in names)
        {
            var edits = Edits(text, name);
            if (edits < least) (nearest, least) = (name, edits);
        }

        return nearest;
    }

    // The distance of Damerau and Levenshtein, where two neighbours that changed places are one edit.
    private static int Edits(string a, string b)
    {
        var (before, last, now) = (new int[b.Length + 1], new int[b.Length + 1], new int[b.Length + 1]);
        for (var j = 0; j <= b.Length; j++) last[j] = j;
        for (var i = 1; i <= a.Length; i++)
        {
            now[0] = i;
            for (var j = 1; j <= b.Length; j++)
            {
                var change = a[i - 1] == b[j - 1] ? 0 : 1;
                now[j] = Math.Min(Math.Min(last[j] + 1, now[j - 1] + 1), last[j - 1] + change);
                if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) now[j] = Math.Min(now[j], before[j - 2] + 1);
            }

            (before, last, now) = (last, now, before);
        }

        return last[b.Length];
    }
}
