namespace Transfer.Sftp.Protocol;

/// <summary>How OPEN opens (draft-ietf-secsh-filexfer-02 section 6.3).</summary>
[Flags]
internal enum SftpOpenFlags : uint
{
    Read = 0x01,
    Write = 0x02,
    Append = 0x04,
    Create = 0x08,
    Truncate = 0x10,
    Exclusive = 0x20,
}
