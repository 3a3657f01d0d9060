namespace Transfer;

/// <summary>The kind of a failure, independent of the protocol. Derived from reply and status codes; only <see cref="Partial"/> of a
/// listing is derived from message text.</summary>
public enum TransferError
{
    /// <summary>None of the other kinds: a failing device, or a failing path to a device, for example.</summary>
    Unknown,

    /// <summary>The peer sent something that the protocol does not allow.</summary>
    Protocol,

    /// <summary>No such file or directory.</summary>
    NotFound,

    /// <summary>The target exists and may not be replaced.</summary>
    Exists,

    /// <summary>The peer, or the local file system, refuses: permission or policy.</summary>
    Denied,

    /// <summary>No space or quota left; transient where the quota is that of open files.</summary>
    Quota,

    /// <summary>Log-in failed.</summary>
    Auth,

    /// <summary>An SSH host key is unknown, changed or revoked.</summary>
    HostKey,

    /// <summary>A TLS handshake failed or a certificate was refused.</summary>
    Tls,

    /// <summary>A time-out of this client: nothing moved for the configured time.</summary>
    Timeout,

    /// <summary>The connection could not be made, or was lost.</summary>
    Lost,

    /// <summary>Lengths or hashes do not agree.</summary>
    Integrity,

    /// <summary>The peer, or this system, cannot do the operation.</summary>
    Unsupported,

    /// <summary>A listing lacks entries, or may lack some. The entries listed were used; more may exist all the same.</summary>
    Partial,
}
