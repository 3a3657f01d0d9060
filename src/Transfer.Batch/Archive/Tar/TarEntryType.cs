namespace Transfer.Batch.Archive.Tar;

/// <summary>What an entry of a tar stream is.</summary>
internal enum TarEntryType
{
    File,
    Directory,

    /// <summary>A symbolic link.</summary>
    Link,

    /// <summary>A hard link, device, pipe, or of a kind that nobody knows. None is packed here, and none made.</summary>
    Other,
}
