namespace Transfer.Local;

/// <summary>A call to the local file system, for <see cref="DiskFaults"/>.</summary>
internal enum DiskCall
{
    Open,
    Lock,
    Read,
    Write,
    SetLength,
    Flush,
    Close,
    Status,
    List,
    NextEntry,
    CreateFolder,
    RemoveFolder,
    Delete,
    Rename,
    Link,
    SymbolicLink,
    ReadLink,
    SetMode,
    SetTime,
}
