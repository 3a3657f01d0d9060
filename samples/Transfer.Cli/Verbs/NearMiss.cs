using Transfer.Cli.Options;
using Transfer.Cli.Urls;

namespace Transfer.Cli.Verbs;

/// <summary>Finds the verb or option that a mistyped one most likely stands for.</summary>
internal static class NearMiss
{
    private const int MostEdits = 2;

    // The names of other programs and systems.
    private static readonly Dictionary<string, string> Synonyms = new(StringComparer.OrdinalIgnoreCase)
    {
        ["cp"] = "copy",
        ["scp"] = "copy",
        ["upload"] = "put",
        ["download"] = "get",
        ["mget"] = "get",
        ["mput"] = "put",
        ["list"] = "ls",
        ["dir"] = "ls",
        ["delete"] = "rm",
        ["del"] = "rm",
        ["remove"] = "rm",
        ["rmdir"] = "rm",
        ["move"] = "mv",
        ["rename"] = "mv",
        ["md"] = "mkdir",
        ["mirror"] = "sync",
        ["rsync"] = "sync",
        ["synchronize"] = "sync",
        ["diff"] = "check",
        ["compare"] = "check",
        ["cmp"] = "check",
        ["type"] = "cat",
        ["sha256sum"] = "hash",
        ["md5sum"] = "hash",
        ["checksum"] = "hash",
        ["info"] = "stat",
        ["free"] = "df",
        ["man"] = "manual",
    };

    /// <summary>The message about a verb that does not exist.</summary>
    public static string OfVerb(string text, IReadOnlyList<Verb> verbs)
    {
        var meant = Synonyms.GetValueOrDefault(text) ?? Nearest(text, verbs.Select(verb => verb.Name));
        var question = meant is null ? string.Empty : $"is {meant} meant? ";
        return $"There is no verb '{UrlRedaction.Redact(text)}'; {question}transfer --help lists them.";
    }

    /// <summary>The option of a verb that is nearest to a text; null: none is near.</summary>
    /// <param name="text">The text, without a value.</param>
    /// <param name="verb">The verb.</param>
    /// <param name="options">The options.</param>
    public static string? OfOption(string text, Verb verb, CliOptions options) =>
        text.StartsWith("--", StringComparison.Ordinal)
        ? Nearest(text, verb.AllOptions(options).SelectMany(group => group.Options).Select(option => option.Name)) : null;

    private static string? Nearest(string text, IEnumerable<string> names)
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
