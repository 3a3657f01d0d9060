namespace Transfer.Sftp.Keys.Hosts;

/// <summary>What a configuration wants of host keys beyond what files of known hosts say.</summary>
internal sealed record HostKeyRules
{
    /// <summary>The files of known hosts for all users; null: the system's.</summary>
    public IReadOnlyList<string>? GlobalKnownHostsFiles { get; init; }

    /// <summary>Files of keys that are never taken (RevokedHostKeys): lists of public keys, or key revocation lists. One that cannot be read refuses every host.</summary>
    public IReadOnlyList<string> RevokedKeysFiles { get; init; } = [];

    /// <summary>Names of new hosts are written down as hashes (HashKnownHosts).</summary>
    public bool HashesNames { get; init; }

    /// <summary>The shortest RSA key, in bits; those below 2,048 are never taken.</summary>
    public int MinimumRsaBits { get; init; }

    /// <summary>The algorithms that authorities may sign certificates by; null: all that are built.</summary>
    public IReadOnlyList<string>? AuthoritySignatures { get; init; }
}
