namespace Transfer.Wan.Servers;

/// <summary>Protocols, by the names that records have.</summary>
internal enum Protocol
{
    FTP,

    /// <summary>FTP with explicit TLS; data connections must resume the session where the server insists by default.</summary>
    FTPS,

    /// <summary>OpenSSH's sshd; its clients may also run commands over it.</summary>
    SFTP,

    HTTP,
}
