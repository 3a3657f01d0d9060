using System.Buffers;
using Transfer.Sftp.Protocol;
using Transfer.Sftp.Ssh.Wire;
using Transfer.Testing.Listing;

namespace Transfer.Testing.Sftp;

/// <summary>Entries of a store in SFTP's form.</summary>
internal static class SftpEntryText
{
    // As the first user of most systems.
    private const uint Owner = 1000;
    private const uint DirectoryType = 0x4000;
    private const uint FileType = 0x8000;
    private const uint Link = 0xA000 | 0x1FF; // everybody may follow it

    public static SftpAttributes Attributes(TestEntry entry) => new()
    {
        Size = (ulong)entry.Length,
        UserId = Owner,
        GroupId = Owner,
        Permissions = entry.LinkTarget is not null ? Link : (entry.IsDirectory ? DirectoryType : FileType) | (uint)entry.Mode,
        Modified = (uint)Math.Clamp(entry.Modified.ToUnixTimeSeconds(), 0, uint.MaxValue),
    };

    /// <summary>Whether attributes set another owner than that of every entry.</summary>
    public static bool ChangesOwner(in SftpAttributes attributes) =>
        attributes is { UserId: not null and not Owner } or { GroupId: not null and not Owner };

    /// <summary>Writes a name of a listing, with a line in the form of <c>ls -l</c>.</summary>
    public static void WriteName(IBufferWriter<byte> fields, TestEntry entry, DateTimeOffset now)
    {
        fields.WriteString(entry.Name);
        // A link is shown without its text, as by OpenSSH.
        var shown = entry.LinkTarget is null ? entry : entry with { LinkTarget = string.Empty, Mode = (UnixFileMode)(Link & 0x1FF) };
        fields.WriteString(HumanListing.Line(shown, entry.Name, FtpListingStyle.Unix, now));
        Attributes(entry).Write(fields);
    }
}
