namespace Transfer.Pooling;

/// <summary>Traits of a server in the words of a provider, and the time of learning.</summary>
internal readonly record struct RememberedTraits(string Text, DateTimeOffset Learned)
{
    private const int Longest = 200;

    /// <summary>Whether a word of a line is traits: no number looks so.</summary>
    public static bool IsText(string text) =>
        text.Length is > 0 and <= Longest
        && char.IsAsciiLetterLower(text[0]) && text.All(c => char.IsAsciiLetterLower(c) || char.IsAsciiDigit(c) || c is ',' or '=');
}
