namespace Transfer.Replacing;

/// <summary>The state of a name at a server or on a disk.</summary>
public enum NameState
{
    /// <summary>The name could not be seen: an entry may have that name.</summary>
    Unknown,

    /// <summary>The name is free, proved by a look that would have shown an entry.</summary>
    Absent,

    /// <summary>A file, a link, or another entry other than a folder has the name.</summary>
    File,

    /// <summary>A folder has the name.</summary>
    Directory,
}
