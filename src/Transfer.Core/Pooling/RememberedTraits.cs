namespace Transfer.Pooling;

/// <summary>What a provider found out about a server, in its own words, and when.</summary>
internal readonly record struct RememberedTraits(string Text, DateTimeOffset Learned)
{
    private const int Longest = 100;

    /// <summary>A word of a line that no number looks like.</summary>
    public static bool IsText(string text) =>
        text.Length is > 0 and <= Longest
        && char.IsAsciiLetterLower(text[0]) && text.All(c => char.IsAsciiLetterLower(c) || char.IsAsciiDigit(c) || c is ',' or '=');
}
