using Transfer.Filters;

namespace Transfer;

/// <summary>
/// The part of a folder that a job covers. Entries that match an exclusion are left out, even if included; with inclusions, files are taken
/// that match one of them, or are in a folder that does. Lengths and times count for files only; an unknown one leaves no file out.
/// </summary>
/// <remarks>
/// Patterns are compared with paths relative to the job's folder; case counts. <c>*</c> is any run of characters without <c>/</c>, <c>?</c>
/// one character but <c>/</c>, <c>[a-z]</c> and <c>[!a-z]</c> one of a set or outside the set, never <c>/</c>; a backslash makes the next
/// character literal. <c>**</c> is any run of characters, with <c>/</c> too, and <c>**/</c> at the beginning or behind a <c>/</c> any
/// number of folders, also none. A <c>/</c> at the end: folders only. A pattern with another <c>/</c>, at the beginning or within, is for
/// the whole path; one without is for names at any depth. Dots are not special. An excluded folder is not read at all.
/// </remarks>
public sealed record TransferFilter
{
    /// <summary>The length of the longest pattern, in characters.</summary>
    public const int MaxPattern = GlobPattern.MaxLength;

    /// <summary>The patterns of entries to take; empty: all.</summary>
    /// <exception cref="ArgumentException">A pattern is empty or longer than <see cref="MaxPattern"/>.</exception>
    public IReadOnlyList<string> Include { get; init => field = Checked(value); } = [];

    /// <summary>The patterns of entries to leave out.</summary>
    /// <exception cref="ArgumentException">A pattern is empty or longer than <see cref="MaxPattern"/>.</exception>
    public IReadOnlyList<string> Exclude { get; init => field = Checked(value); } = [];

    /// <summary>The least length of a file, in bytes.</summary>
    public long? MinSize { get; init; }

    /// <summary>The greatest length of a file, in bytes.</summary>
    public long? MaxSize { get; init; }

    /// <summary>The earliest modification time of files (inclusive).</summary>
    public DateTimeOffset? NewerThan { get; init; }

    /// <summary>The latest modification time of files (exclusive).</summary>
    public DateTimeOffset? OlderThan { get; init; }

    /// <summary>One of several parts of all that the filter takes; null: all.</summary>
    public TransferShard? Shard { get; init; }

    /// <summary>
    /// Whether patterns and shard take a file, as a job takes the files of a folder. Lengths and times do not count here.
    /// </summary>
    /// <param name="path">The file's path relative to the folder, with forward slashes.</param>
    public bool TakesFile(string path) => Takes(path, RemoteEntryType.File);

    /// <summary>
    /// Whether the filter takes an entry, as a job takes the entries of a folder; of a directory, whether the job reads it.
    /// </summary>
    /// <param name="path">The entry's path relative to the folder, with forward slashes.</param>
    /// <param name="type">The kind of entry.</param>
    /// <param name="length">The length of a file; null: not known.</param>
    /// <param name="modified">The modification time of a file; null: not known.</param>
    public bool Takes(string path, RemoteEntryType type, long? length = null, DateTimeOffset? modified = null)
    {
        ArgumentException.ThrowIfNullOrEmpty(path);
        if (Shard is { } shard && !(type == RemoteEntryType.Directory ? shard.Enters(path) : shard.Takes(path))) return false;
        if (type == RemoteEntryType.File && !TakesFacts(length, modified)) return false;
        var patterns = new PathPatterns(Include, Exclude);
        var isIncluded = !patterns.AreSelective;
        for (var end = path.IndexOf('/', StringComparison.Ordinal); ; end = path.IndexOf('/', end + 1))
        {
            // The folders above the file, from the outermost one on, and the file.
            var isLast = end < 0;
            var (entry, isDirectory) = isLast ? (path, type == RemoteEntryType.Directory) : (path[..end], true);
            if (patterns.Exclude(entry, isDirectory)) return false;
            isIncluded |= patterns.Include(entry, isDirectory);
            if (isLast) return isIncluded || isDirectory;
        }
    }

    /// <summary>Whether the length and time of a file are within the bounds; unknown ones are.</summary>
    internal bool TakesFacts(long? length, DateTimeOffset? modified) =>
        !(length < MinSize) && !(length > MaxSize) && !(modified < NewerThan) && !(modified >= OlderThan);

    private static IReadOnlyList<string> Checked(IReadOnlyList<string> patterns)
    {
        ArgumentNullException.ThrowIfNull(patterns);
        foreach (var pattern in patterns) GlobPattern.Check(pattern);
        return [.. patterns];
    }
}
