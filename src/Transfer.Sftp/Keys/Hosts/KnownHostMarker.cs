namespace Transfer.Sftp.Keys.Hosts;

/// <summary>The marker of a line of known_hosts.</summary>
internal enum KnownHostMarker
{
    /// <summary>The key is the host's.</summary>
    None,

    /// <summary><c>@cert-authority</c>: the key signs the host's certificates.</summary>
    Authority,

    /// <summary><c>@revoked</c>: the key must never be accepted.</summary>
    Revoked,
}
