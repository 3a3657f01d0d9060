namespace Transfer.Local;

/// <summary>A call to the local file system, for <see cref="DiskFaults"/>.</summary>
internal enum DiskCall
{
    Open,
    Write,
    Flush,
    Close,
    Status,
    List,
    CreateFolder,
    RemoveFolder,
    Delete,
    Rename,
    Link,
    SymbolicLink,
    SetMode,
    SetTime,
}
