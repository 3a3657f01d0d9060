namespace Transfer.TestSupport.Ftp;

/// <summary>What a server does with several uploads into one file.</summary>
public enum SharedWrites
{
    /// <summary>Writes each where it wants to be, also behind the end: vsftpd with lock_upload_files=NO.</summary>
    Allowed,

    /// <summary>The second waits until the first has ended: vsftpd.</summary>
    Wait,

    /// <summary>Cuts off what is behind an upload's first byte, and writes at the end what should be behind it: Pure-FTPd.</summary>
    CutOff,

    /// <summary>Refuses what would leave a gap: ProFTPD.</summary>
    WithoutGaps,

    /// <summary>Deletes a file when an upload into it breaks off: vsftpd with delete_failed_uploads=YES.</summary>
    DeletedWhenBroken,
}
