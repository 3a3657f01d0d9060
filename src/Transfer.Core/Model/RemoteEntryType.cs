namespace Transfer;

/// <summary>The kind of a name in a listing.</summary>
public enum RemoteEntryType
{
    /// <summary>A regular file.</summary>
    File,

    /// <summary>A directory.</summary>
    Directory,

    /// <summary>A symbolic link.</summary>
    Link,

    /// <summary>Anything else: a device, a pipe, a socket.</summary>
    Other,
}
