namespace Transfer.Local.Native;

/// <summary>st_mode, with the same numbers on every Unix.</summary>
internal static class UnixMode
{
    private const int TypeMask = 0xF000;
    private const int Folder = 0x4000;
    private const int Regular = 0x8000;
    private const int Link = 0xA000;

    /// <summary>The kind of entry.</summary>
    public static RemoteEntryType TypeOf(int mode) => (mode & TypeMask) switch
    {
        Regular => RemoteEntryType.File,
        Folder => RemoteEntryType.Directory,
        Link => RemoteEntryType.Link,
        _ => RemoteEntryType.Other,
    };

    /// <summary>The permissions.</summary>
    public static UnixFileMode PermissionsOf(int mode) => (UnixFileMode)(mode & ~TypeMask);
}
