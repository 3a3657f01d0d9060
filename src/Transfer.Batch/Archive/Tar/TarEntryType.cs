namespace Transfer.Batch.Archive.Tar;

/// <summary>The kind of an entry in a tar stream.</summary>
internal enum TarEntryType
{
    File,
    Directory,

    /// <summary>A symbolic link.</summary>
    Link,

    /// <summary>A hard link, device, pipe, or of an unknown kind. None is packed here, and none created.</summary>
    Other,
}
