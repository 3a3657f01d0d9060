namespace Transfer.Cli.Commands.Scripts.Shell;

/// <summary>The completion of a line.</summary>
/// <param name="Insert">The text for the caret; empty: there is none, or there are several.</param>
/// <param name="Choices">The words to choose from, where nothing more is common to them.</param>
internal sealed record Completion(string Insert, IReadOnlyList<string> Choices)
{
    public static readonly Completion None = new(string.Empty, []);

    /// <summary>Completes a word by the words that it may become.</summary>
    /// <param name="word">The word so far.</param>
    /// <param name="candidates">Whole words; one that ends in a slash goes on.</param>
    public static Completion Of(string word, IEnumerable<string> candidates)
    {
        var found = candidates.Where(candidate => candidate.StartsWith(word, StringComparison.Ordinal))
            .Distinct().Order(StringComparer.Ordinal).ToList();
        if (found.Count == 0) return None;
        if (found is [var only]) return new Completion(only[word.Length..] + (only.EndsWith('/') ? string.Empty : " "), []);
        var common = found[0].Length;
        foreach (var other in found) common = Math.Min(common, found[0].AsSpan().CommonPrefixLength(other));
        return common > word.Length ? new Completion(found[0][word.Length..common], []) : new Completion(string.Empty, found);
    }
}
