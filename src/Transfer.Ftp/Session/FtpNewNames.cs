using System.Collections.Concurrent;

namespace Transfer.Ftp.Session;

/// <summary>
/// Counts the files in a row that replaced none, in each directory of a host, for all its sessions: behind many of them the next name is
/// probably new, too.
/// </summary>
internal sealed class FtpNewNames
{
    private const int Many = 16;
    private const int MostDirectories = 1000;

    private readonly ConcurrentDictionary<string, int> _inRow = new(StringComparer.Ordinal);

    /// <summary>Whether the next name of a directory is probably new.</summary>
    public bool Expects(string? directory) => directory is not null && _inRow.GetValueOrDefault(directory) >= Many;

    /// <summary>Notes whether a file of a directory replaced none.</summary>
    public void Note(string? directory, bool isNew)
    {
        if (directory is null) return;
        // The count takes the locks of all, and most names are in a known directory.
        if (!_inRow.ContainsKey(directory) && _inRow.Count > MostDirectories) _inRow.Clear();
        _inRow.AddOrUpdate(directory, isNew ? 1 : 0, (_, before) => isNew ? Math.Min(before + 1, Many) : 0);
    }
}
