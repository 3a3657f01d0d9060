using System.Management.Automation;

namespace Transfer.PowerShell.Entries;

/// <summary>Names by PowerShell's wildcards, in either case.</summary>
internal sealed class NameFilter(IReadOnlyList<string> include, IReadOnlyList<string> exclude)
{
    private readonly WildcardPattern[] _include = [.. include.Select(Pattern)];
    private readonly WildcardPattern[] _exclude = [.. exclude.Select(Pattern)];

    /// <summary>One of the included patterns matches, or there is none, and none of the excluded ones.</summary>
    public bool Takes(string name) =>
        (_include.Length == 0 || _include.Any(pattern => pattern.IsMatch(name))) && !_exclude.Any(pattern => pattern.IsMatch(name));

    private static WildcardPattern Pattern(string text) => new(text, WildcardOptions.IgnoreCase);
}
