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

    /// <summary>A file that must be new. Servers over Node's ssh2 know Exclusive with Truncate only; nothing is there to cut.</summary>
    New = Truncate | Exclusive,
}
