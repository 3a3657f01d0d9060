namespace Transfer.Ftp.Session;

/// <summary>
/// The directories that the first column of STAT has just shown as such: a proof of them, which a walk needs of all that it finds, takes
/// no second STAT of the same lines. Used by one command at a time.
/// </summary>
/// <param name="time">The clock.</param>
internal sealed class FtpSeenDirectories(TimeProvider time)
{
    private const int Most = 10_000;

    // A directory may be replaced by a link: what was seen earlier proves nothing.
    private static readonly TimeSpan Age = TimeSpan.FromSeconds(5);

    private readonly HashSet<string> _paths = new(StringComparer.Ordinal);
    private long _since;

    /// <summary>Adds the directories among entries, as far as there is room.</summary>
    public void Add(IReadOnlyList<RemoteEntry> entries)
    {
        ForgetOld();
        if (_paths.Count == 0) _since = time.GetTimestamp();
        foreach (var entry in entries)
        {
            if (entry.Type == RemoteEntryType.Directory && _paths.Count < Most) _paths.Add(entry.Path);
        }
    }

    /// <summary>Returns whether a path was just seen as a directory, once.</summary>
    public bool Take(string path)
    {
        ForgetOld();
        return _paths.Remove(path);
    }

    private void ForgetOld()
    {
        if (_paths.Count > 0 && time.GetElapsedTime(_since) > Age) _paths.Clear();
    }
}
