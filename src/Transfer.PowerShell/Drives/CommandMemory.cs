namespace Transfer.PowerShell.Drives;

/// <summary>
/// What one command has seen of a drive. PowerShell lists names first, and then asks for each of them what it is: within the same command
/// the listing has answered that.
/// The object is the command's dynamic parameters, which PowerShell hands to each call that it makes for the command.
/// </summary>
internal class CommandMemory
{
    private const int Most = 10_000;

    private readonly Dictionary<string, RemoteEntry> _seen = new(StringComparer.Ordinal);

    /// <summary>Keeps an entry of a listing.</summary>
    public void Keep(string remotePath, RemoteEntry entry)
    {
        if (_seen.Count >= Most) _seen.Clear();
        _seen[remotePath] = entry;
    }

    /// <summary>The entry of a path; null: none is kept.</summary>
    public RemoteEntry? Find(string remotePath) => _seen.GetValueOrDefault(remotePath);
}
