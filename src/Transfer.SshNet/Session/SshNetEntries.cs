using System.Globalization;
using Renci.SshNet.Sftp;

namespace Transfer.SshNet.Session;

/// <summary>SSH.NET's descriptions of files as entries.</summary>
internal static class SshNetEntries
{
    /// <summary>Converts SSH.NET's description of a file.</summary>
    /// <param name="path">The file's path in Transfer's terms.</param>
    /// <param name="file">SSH.NET's description.</param>
    public static RemoteEntry ToEntry(string path, ISftpFile file)
    {
        var attributes = file.Attributes;
        var type = TypeOf(attributes);
        return new()
        {
            Path = path,
            Type = type,
            Length = type == RemoteEntryType.File && attributes.Size >= 0 ? attributes.Size : null,
            Modified = attributes.LastWriteTimeUtc == DateTime.MinValue
                ? null : new DateTimeOffset(attributes.LastWriteTimeUtc, TimeSpan.Zero),
            Mode = ModeOf(attributes),
            Owner = attributes.UserId < 0 ? null : attributes.UserId.ToString(CultureInfo.InvariantCulture),
            Group = attributes.GroupId < 0 ? null : attributes.GroupId.ToString(CultureInfo.InvariantCulture),
        };
    }

    /// <summary>Converts permissions to SSH.NET's form: a decimal number with the octal digits.</summary>
    public static short ToSshNet(UnixFileMode mode) =>
        short.Parse(Convert.ToString((int)mode & 0xFFF, 8), NumberStyles.None, CultureInfo.InvariantCulture);

    // A server that sends no permissions sends no type either: most names are files.
    private static RemoteEntryType TypeOf(SftpFileAttributes attributes) =>
        attributes.IsSymbolicLink ? RemoteEntryType.Link
        : attributes.IsDirectory ? RemoteEntryType.Directory
        : attributes.IsSocket || attributes.IsNamedPipe || attributes.IsBlockDevice || attributes.IsCharacterDevice ? RemoteEntryType.Other
        : RemoteEntryType.File;

    private static UnixFileMode? ModeOf(SftpFileAttributes attributes)
    {
        var mode = UnixFileMode.None;
        if (attributes.OwnerCanRead) mode |= UnixFileMode.UserRead;
        if (attributes.OwnerCanWrite) mode |= UnixFileMode.UserWrite;
        if (attributes.OwnerCanExecute) mode |= UnixFileMode.UserExecute;
        if (attributes.GroupCanRead) mode |= UnixFileMode.GroupRead;
        if (attributes.GroupCanWrite) mode |= UnixFileMode.GroupWrite;
        if (attributes.GroupCanExecute) mode |= UnixFileMode.GroupExecute;
        if (attributes.OthersCanRead) mode |= UnixFileMode.OtherRead;
        if (attributes.OthersCanWrite) mode |= UnixFileMode.OtherWrite;
        if (attributes.OthersCanExecute) mode |= UnixFileMode.OtherExecute;
        if (attributes.IsUIDBitSet) mode |= UnixFileMode.SetUser;
        if (attributes.IsGroupIDBitSet) mode |= UnixFileMode.SetGroup;
        if (attributes.IsStickyBitSet) mode |= UnixFileMode.StickyBit;
        // No type: the server has sent no permissions.
        return mode == UnixFileMode.None && !attributes.IsRegularFile && TypeOf(attributes) == RemoteEntryType.File ? null : mode;
    }
}
