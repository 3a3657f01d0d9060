namespace Transfer.Ftp.Session;

/// <summary>
/// The commands that have described an entry of a host: a later refusal of such a command means that the entry does not exist. Every member
/// changes only one way.
/// </summary>
internal sealed class FtpDescribers
{
    private volatile bool _byMlst;
    private volatile bool _byMlstWithSpace;
    private volatile bool _filesByMlst;
    private volatile bool _foldersByMlst;
    private volatile bool _bySize;
    private volatile bool _byTime;

    /// <summary>Whether MLST has described an entry.</summary>
    public bool ByMlst { get => _byMlst; set => _byMlst |= value; }

    /// <summary>Whether MLST has described an entry with a space in its path, which some servers do not read to its end.</summary>
    public bool ByMlstWithSpace { get => _byMlstWithSpace; set => _byMlstWithSpace |= value; }

    /// <summary>Whether MLST has described a file: some servers describe folders alone.</summary>
    public bool FilesByMlst { get => _filesByMlst; set => _filesByMlst |= value; }

    /// <summary>Whether MLST has described a folder: some servers describe files alone.</summary>
    public bool FoldersByMlst { get => _foldersByMlst; set => _foldersByMlst |= value; }

    /// <summary>Whether SIZE has.</summary>
    public bool BySize { get => _bySize; set => _bySize |= value; }

    /// <summary>Whether MDTM has.</summary>
    public bool ByTime { get => _byTime; set => _byTime |= value; }
}
