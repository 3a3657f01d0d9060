namespace Transfer.Batch.Archive.Unpacking;

/// <summary>A folder that files are unpacked into.</summary>
internal sealed class TargetFolder
{
    private readonly HashSet<string>? _names;

    /// <param name="relative">The folder's path in the job, with slashes; empty for the target itself.</param>
    /// <param name="path">The folder's path here.</param>
    /// <param name="names">The comparer of names where different spellings may be one name; null: every spelling is another name.</param>
    public TargetFolder(string relative, string path, IEqualityComparer<string>? names)
    {
        Relative = relative;
        Path = path;
        if (names is not null) _names = new HashSet<string>(names);
    }

    public string Relative { get; }

    public string Path { get; }

    /// <summary>The parent folder; null: the folder is the target.</summary>
    public TargetFolder? Parent { get; init; }

    /// <summary>The folder's file system, as long as the job lasts; 0: unknown. There may be another one below the target.</summary>
    public ulong Device { get; init; }

    /// <summary>Whether the folder's entry is on the disk. Set only for folders that are <see cref="IsFresh"/>.</summary>
    public bool IsSafe { get; set; }

    /// <summary>Whether this job created the folder, so that it holds no entries of other programs.</summary>
    public bool IsFresh { get; init; }

    /// <summary>Whether the folder held only unfinished files when the job first met it; other programs may have added entries
    /// since.</summary>
    public bool WasEmpty { get; init; }

    /// <summary>
    /// The lock for publishing in the folder. The system serializes renames in a folder in any case, and its waiters spin, or sleep and
    /// wake, a file at a time.
    /// </summary>
    public SemaphoreSlim Naming { get; } = new(1);

    /// <summary>Why nothing can be written in the folder; null: no error.</summary>
    public TransferException? Error { get; init; }

    /// <summary>The mode to set when the folder is complete; null: unchanged.</summary>
    public UnixFileMode? Mode { get; set; }

    public DateTime? Modified { get; set; }

    public DateTime? Created { get; set; }

    /// <summary>Claims a name for the job; false: the job has used another spelling, which is the same name here.</summary>
    public bool Claim(string name)
    {
        if (_names is null) return true;
        lock (_names) return _names.Add(name) || _names.TryGetValue(name, out var known) && known == name;
    }
}
