namespace Transfer.PowerShell.Drives;

/// <summary>
/// The entries of a drive that one command has seen. PowerShell lists names first, and then requests the kind of each: within the same
/// command the listing has the answer.
/// The object is the command's dynamic parameters, which PowerShell hands to each call of the command.
/// </summary>
internal class CommandMemory
{
    private const int Most = 10_000;

    private readonly Dictionary<string, RemoteEntry> _seen = new(StringComparer.Ordinal);

    /// <summary>Whether a link to a folder is a folder for the command, which only tests.</summary>
    public bool FollowsLinks { get; init; }

    /// <summary>Keeps an entry of a listing.</summary>
    public void Keep(string remotePath, RemoteEntry entry)
    {
        if (_seen.Count >= Most) _seen.Clear();
        _seen[remotePath] = entry;
    }

    /// <summary>The entry of a path; null: none is kept.</summary>
    public RemoteEntry? Find(string remotePath) => _seen.GetValueOrDefault(remotePath);
}
