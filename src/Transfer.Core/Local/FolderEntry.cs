namespace Transfer.Local;

/// <summary>A name in a local folder, and what it is; of a link the link itself.</summary>
internal readonly record struct FolderEntry(string Name, FileStatus Status);
