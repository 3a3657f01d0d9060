using Transfer.Sessions;
using Transfer.Sftp.Protocol;

namespace Transfer.Sftp.Session;

/// <summary>Metadata in version 3's form: whole seconds since 1970 in 32 bits.</summary>
internal static class SftpTimes
{
    public static SftpAttributes ToAttributes(FileMetadata? metadata) => new()
    {
        Modified = metadata?.Modified?.ToUnixTimeSeconds() is { } seconds and >= 0 and <= uint.MaxValue ? (uint)seconds : null,
        Permissions = metadata?.Mode is { } mode ? (uint)mode & 0xFFF : null,
    };

    public static bool IsEmpty(in SftpAttributes attributes) => attributes is { Modified: null, Permissions: null };

    public static DateTimeOffset? Modified(in SftpAttributes attributes) =>
        attributes.Modified is { } seconds ? DateTimeOffset.FromUnixTimeSeconds(seconds) : null;
}
