namespace Transfer.Sftp.Protocol;

/// <summary>
/// Status codes: 0 to 8 are those of version 3 (draft-ietf-secsh-filexfer-02 section 7); some servers send codes of later versions all the
/// same.
/// </summary>
internal enum SftpStatus : uint
{
    Ok = 0,
    EndOfFile = 1,
    NoSuchFile = 2,
    PermissionDenied = 3,
    Failure = 4,
    BadMessage = 5,
    NoConnection = 6,
    ConnectionLost = 7,
    Unsupported = 8,

    // draft-ietf-secsh-filexfer-13 section 9.1
    NoSuchPath = 10,
    FileAlreadyExists = 11,
    WriteProtected = 12,
    NoMedia = 13,
    NoSpace = 14,
    QuotaExceeded = 15,
    InvalidFilename = 20,
    LinkLoop = 21,
}
