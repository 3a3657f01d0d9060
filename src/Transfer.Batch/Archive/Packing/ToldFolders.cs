namespace Transfer.Batch.Archive.Packing;

/// <summary>
/// The folders that a plain tar stream has told of. Each stream tells of those that its files are in, since it is not alone: GNU's tar makes a folder that nobody
/// told it of, but fails if another makes the same one between its attempt to open a file there and its own <c>mkdir</c>.
/// </summary>
internal sealed class ToldFolders
{
    private readonly HashSet<string> _told = [];

    /// <summary>The folders above an item that the stream has not told of yet, from the top down; from now on it has.</summary>
    public List<string> TakeAbove(PackItem item)
    {
        var above = new List<string>();
        for (var folder = RemotePath.GetParent(item.Path); !string.IsNullOrEmpty(folder) && _told.Add(folder); folder = RemotePath.GetParent(folder)) above.Add(folder);
        above.Reverse();
        return above;
    }

    /// <summary>The stream tells of this one.</summary>
    public void Add(string folder) => _told.Add(folder);
}
