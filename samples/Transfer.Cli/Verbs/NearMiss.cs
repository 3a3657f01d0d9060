using Transfer.Cli.Options;
using Transfer.Cli.Urls;

namespace Transfer.Cli.Verbs;

/// <summary>Finds the verb or option that a mistyped one most likely stands for.</summary>
internal static class NearMiss
{
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
        var meant = Synonyms.GetValueOrDefault(text) ?? NearName.Of(text, verbs.Select(verb => verb.Name));
        var question = meant is null ? string.Empty : $"is {meant} meant? ";
        return $"There is no verb '{UrlRedaction.Redact(text)}'; {question}transfer --help lists them.";
    }

    /// <summary>The option of a verb that is nearest to a text; null: none is near.</summary>
    /// <param name="text">The text, without a value.</param>
    /// <param name="verb">The verb.</param>
    /// <param name="options">The options.</param>
    public static string? OfOption(string text, Verb verb, CliOptions options) =>
        text.StartsWith("--", StringComparison.Ordinal)
        ? NearName.Of(text, verb.AllOptions(options).SelectMany(group => group.Options).Select(option => option.Name)) : null;
}
