namespace Transfer.Sftp.Keys.Hosts;

/// <summary>What a line of known_hosts says about its key.</summary>
internal enum KnownHostMarker
{
    /// <summary>It is the host's.</summary>
    None,

    /// <summary><c>@cert-authority</c>: it signs the host's certificates.</summary>
    Authority,

    /// <summary><c>@revoked</c>: it must never be accepted.</summary>
    Revoked,
}
