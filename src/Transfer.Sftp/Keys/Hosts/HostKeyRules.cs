namespace Transfer.Sftp.Keys.Hosts;

/// <summary>A configuration's rules for host keys beyond the files of known hosts.</summary>
internal sealed record HostKeyRules
{
    /// <summary>The files of known hosts for all users; null: the system's.</summary>
    public IReadOnlyList<string>? GlobalKnownHostsFiles { get; init; }

    /// <summary>
    /// Files of keys that are never accepted (RevokedHostKeys): lists of public keys, or key revocation lists. An unreadable one refuses
    /// every host.
    /// </summary>
    public IReadOnlyList<string> RevokedKeysFiles { get; init; } = [];

    /// <summary>Whether names of new hosts are written as hashes (HashKnownHosts).</summary>
    public bool HashesNames { get; init; }

    /// <summary>The shortest RSA key, in bits; those below 2,048 are never taken.</summary>
    public int MinimumRsaBits { get; init; }

    /// <summary>The algorithms that authorities may sign certificates by; null: all that are built in.</summary>
    public IReadOnlyList<string>? AuthoritySignatures { get; init; }
}
