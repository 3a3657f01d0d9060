namespace Transfer.Cli.Urls;

/// <summary>One part of a URL's path.</summary>
/// <param name="Name">The decoded name, where there is no pattern.</param>
/// <param name="Glob">The pattern; null: a name.</param>
internal sealed record PatternPart(string Name, Glob? Glob);
