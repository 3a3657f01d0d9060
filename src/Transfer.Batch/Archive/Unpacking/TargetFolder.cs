namespace Transfer.Batch.Archive.Unpacking;

/// <summary>A folder that files are unpacked into.</summary>
internal sealed class TargetFolder
{
    private readonly HashSet<string>? _names;

    /// <param name="relative">Its path in the job, with slashes; empty for the target itself.</param>
    /// <param name="path">Its path here.</param>
    /// <param name="names">How names are told apart where not every other spelling is another name; null: it is.</param>
    public TargetFolder(string relative, string path, IEqualityComparer<string>? names)
    {
        Relative = relative;
        Path = path;
        if (names is not null) _names = new HashSet<string>(names);
    }

    public string Relative { get; }

    public string Path { get; }

    /// <summary>The folder that it is in; null: it is the target.</summary>
    public TargetFolder? Parent { get; init; }

    /// <summary>Its file system, as long as the job lasts; 0: unknown. There may be another one below the target.</summary>
    public ulong Device { get; init; }

    /// <summary>That it is there is on the disk. Only asked of one that <see cref="IsFresh"/>.</summary>
    public bool IsSafe { get; set; }

    /// <summary>It was made by this job: nothing is in it that others put there.</summary>
    public bool IsFresh { get; init; }

    /// <summary>Nothing but unfinished files was in it when the job first came to it; others may have put something there since.</summary>
    public bool WasEmpty { get; init; }

    /// <summary>
    /// Whoever gives files their names in it has it to himself. The system lets one at a time do so in any case, and its waiters turn in circles for it, or sleep and are woken, a file at a time.
    /// </summary>
    public SemaphoreSlim Naming { get; } = new(1);

    /// <summary>Why nothing can be put there; null: it can.</summary>
    public TransferException? Error { get; init; }

    /// <summary>What it is to be given when all is in it; null: nothing.</summary>
    public UnixFileMode? Mode { get; set; }

    public DateTime? Modified { get; set; }

    public DateTime? Created { get; set; }

    /// <summary>False: the job has another name for that already, which is the same one here.</summary>
    public bool Claim(string name)
    {
        if (_names is null) return true;
        lock (_names) return _names.Add(name) || _names.TryGetValue(name, out var known) && known == name;
    }
}
