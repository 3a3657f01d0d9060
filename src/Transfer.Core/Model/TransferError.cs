namespace Transfer;

/// <summary>What went wrong, independent of the protocol. Derived from reply and status codes; message text makes nothing but <see cref="Partial"/> of a listing.</summary>
public enum TransferError
{
    /// <summary>None of the other kinds: a device or the way to it fails, for example.</summary>
    Unknown,

    /// <summary>The peer said something the protocol does not allow.</summary>
    Protocol,

    /// <summary>No such file or directory.</summary>
    NotFound,

    /// <summary>The target exists and may not be replaced.</summary>
    Exists,

    /// <summary>The peer, or the local file system, refuses: permission or policy.</summary>
    Denied,

    /// <summary>No space or quota left; transient where it is files that may be open.</summary>
    Quota,

    /// <summary>Log-in failed.</summary>
    Auth,

    /// <summary>An SSH host key is unknown, changed or revoked.</summary>
    HostKey,

    /// <summary>A TLS handshake failed or a certificate was refused.</summary>
    Tls,

    /// <summary>A time-out of ours ran out: nothing moved for the configured time.</summary>
    Timeout,

    /// <summary>The connection could not be made, or was lost.</summary>
    Lost,

    /// <summary>Sizes or hashes do not agree.</summary>
    Integrity,

    /// <summary>The peer, or this system, cannot do what was asked.</summary>
    Unsupported,

    /// <summary>A listing lacks entries, or may lack some. What it names was used; what it does not name may be there all the same.</summary>
    Partial,
}
