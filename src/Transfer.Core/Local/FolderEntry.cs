namespace Transfer.Local;

/// <summary>A name in a local folder, and the status of the entry; for a link, that of the link itself.</summary>
internal readonly record struct FolderEntry(string Name, FileStatus Status);
