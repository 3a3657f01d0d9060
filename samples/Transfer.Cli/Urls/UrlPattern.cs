namespace Transfer.Cli.Urls;

/// <summary>The pattern of a URL's path: wildcards in any part, and alternatives in braces.</summary>
internal sealed class UrlPattern
{
    private UrlPattern(IReadOnlyList<IReadOnlyList<PatternPart>> alternatives, bool foldersOnly) =>
        (Alternatives, FoldersOnly) = (alternatives, foldersOnly);

    /// <summary>The paths that the braces stand for, each in its parts from the root on.</summary>
    public IReadOnlyList<IReadOnlyList<PatternPart>> Alternatives { get; }

    /// <summary>Whether the URL ends in a slash: only folders are meant.</summary>
    public bool FoldersOnly { get; }

    /// <summary>The pattern of a path that is still percent-encoded, or null when it is a plain one. What is encoded is literal.</summary>
    public static UrlPattern? FromPath(string rawPath)
    {
        var texts = BraceExpansion.Expand(rawPath);
        IReadOnlyList<IReadOnlyList<PatternPart>> alternatives = [.. texts.Select(Parts)];
        return alternatives is [var only] && only.All(part => part.Glob is null)
            ? null : new UrlPattern(alternatives, rawPath.EndsWith('/'));
    }

    private static IReadOnlyList<PatternPart> Parts(string rawPath) =>
        [.. rawPath.Split('/', StringSplitOptions.RemoveEmptyEntries).Select(part =>
            new PatternPart(PercentEncoding.DecodeName(part, "The URL's path"), Glob.FromUrl(part)))];
}
