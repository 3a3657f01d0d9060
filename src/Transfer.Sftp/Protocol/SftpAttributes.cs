using System.Buffers;
using Transfer.Sftp.Ssh.Wire;

namespace Transfer.Sftp.Protocol;

/// <summary>The ATTRS structure (draft-ietf-secsh-filexfer-02 section 5); null for attributes that are not sent.</summary>
internal readonly record struct SftpAttributes
{
    private const uint SizeFlag = 0x1;
    private const uint OwnerFlag = 0x2;
    private const uint PermissionsFlag = 0x4;
    private const uint TimesFlag = 0x8;
    private const uint ExtendedFlag = 0x80000000;

    private const uint TypeMask = 0xF000;

    public ulong? Size { get; init; }

    public uint? UserId { get; init; }

    public uint? GroupId { get; init; }

    /// <summary>POSIX st_mode: the type and the permission bits.</summary>
    public uint? Permissions { get; init; }

    /// <summary>Seconds since 1970, read and written together with the access time.</summary>
    public uint? Modified { get; init; }

    /// <summary>The length; null also for one beyond the range of <see cref="long"/>.</summary>
    public long? Length => Size is { } size and <= long.MaxValue ? (long)size : null;

    /// <summary>The type by the permission bits; null when they hold none.</summary>
    public RemoteEntryType? Type => (Permissions & TypeMask) switch
    {
        null or 0 => null,
        0x8000 => RemoteEntryType.File,
        0x4000 => RemoteEntryType.Directory,
        0xA000 => RemoteEntryType.Link,
        _ => RemoteEntryType.Other,
    };

    public UnixFileMode? Mode => Permissions is { } bits ? (UnixFileMode)(bits & 0xFFF) : null;

    public static SftpAttributes Read(ref SshReader reader)
    {
        var flags = reader.ReadUInt32();
        ulong? size = (flags & SizeFlag) != 0 ? reader.ReadUInt64() : null;
        uint? user = null, group = null, permissions = null, modified = null;
        if ((flags & OwnerFlag) != 0) (user, group) = (reader.ReadUInt32(), reader.ReadUInt32());
        if ((flags & PermissionsFlag) != 0) permissions = reader.ReadUInt32();
        if ((flags & TimesFlag) != 0)
        {
            reader.ReadUInt32();
            modified = reader.ReadUInt32();
        }
        if ((flags & ExtendedFlag) != 0)
        {
            // Each pair takes 8 bytes at least, so a false count soon exceeds the message.
            for (var pairs = reader.ReadUInt32(); pairs > 0; pairs--)
            {
                reader.ReadString();
                reader.ReadString();
            }
        }
        return new() { Size = size, UserId = user, GroupId = group, Permissions = permissions, Modified = modified };
    }

    public void Write(IBufferWriter<byte> writer)
    {
        writer.WriteUInt32(
            (Size is null ? 0 : SizeFlag) | (UserId is null ? 0 : OwnerFlag) | (Permissions is null ? 0 : PermissionsFlag)
            | (Modified is null ? 0 : TimesFlag));
        if (Size is { } size) writer.WriteUInt64(size);
        if (UserId is { } user)
        {
            writer.WriteUInt32(user);
            writer.WriteUInt32(GroupId ?? user);
        }
        if (Permissions is { } permissions) writer.WriteUInt32(permissions);
        if (Modified is not { } modified) return;
        writer.WriteUInt32(modified);
        writer.WriteUInt32(modified);
    }
}
