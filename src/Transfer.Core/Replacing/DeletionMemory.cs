namespace Transfer.Replacing;

/// <summary>
/// Whether confirmed deletions of a host were seen to have an effect, for files and for directories: a server may delete one kind alone.
/// Thread-safe.
/// </summary>
public sealed class DeletionMemory
{
    private volatile bool _ofFiles;
    private volatile bool _ofDirectories;

    /// <summary>Whether an entry of a kind was seen to be gone behind a confirmed deletion.</summary>
    /// <param name="ofDirectories">Whether of directories; else of files.</param>
    public bool IsProved(bool ofDirectories) => ofDirectories ? _ofDirectories : _ofFiles;

    /// <summary>Notes whether an entry of a kind was seen to be gone; what is proved stays so.</summary>
    /// <param name="ofDirectories">Whether of directories; else of files.</param>
    /// <param name="isGone">Whether an entry was seen to be gone.</param>
    public void Note(bool ofDirectories, bool isGone)
    {
        if (ofDirectories) _ofDirectories |= isGone;
        else _ofFiles |= isGone;
    }
}
