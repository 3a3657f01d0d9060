namespace Transfer;

/// <summary>The check of a transferred file before the file counts.</summary>
public enum VerificationMode
{
    /// <summary>The server's final positive reply is trusted.</summary>
    Reply,

    /// <summary>The lengths at both ends are compared too.</summary>
    Size,

    /// <summary>
    /// A hash of the content is compared too: the server's own where the server, or a command of an SFTP host, computes SHA-256, SHA-512,
    /// SHA-1 or MD5, else that of the file read back, which moves the content a second time; see <see cref="TransferResult.HashSource"/>.
    /// Such files are not moved in segments. Refused (<see cref="TransferError.Unsupported"/>) where content is converted on the way (FTP's
    /// ASCII type).
    /// </summary>
    Hash,
}
