namespace Transfer.Filters;

/// <summary>The patterns of a filter, ready to be compared with paths.</summary>
/// <param name="include">The patterns of entries to take.</param>
/// <param name="exclude">The patterns of entries to leave out.</param>
internal sealed class PathPatterns(IEnumerable<string> include, IEnumerable<string> exclude)
{
    private readonly GlobPattern[] _include = [.. include.Select(pattern => new GlobPattern(pattern))];
    private readonly GlobPattern[] _exclude = [.. exclude.Select(pattern => new GlobPattern(pattern))];

    /// <summary>Whether there are no patterns.</summary>
    public bool IsEmpty => _include.Length == 0 && _exclude.Length == 0;

    /// <summary>Whether only included entries are taken.</summary>
    public bool AreSelective => _include.Length > 0;

    /// <summary>Returns whether a pattern includes an entry itself.</summary>
    public bool Include(string path, bool isDirectory) => Matches(_include, path, isDirectory);

    /// <summary>Returns whether a pattern excludes an entry itself.</summary>
    public bool Exclude(string path, bool isDirectory) => Matches(_exclude, path, isDirectory);

    private static bool Matches(GlobPattern[] patterns, string path, bool isDirectory)
    {
        foreach (var pattern in patterns)
        {
            if (pattern.IsMatch(path, isDirectory)) return true;
        }
        return false;
    }
}
