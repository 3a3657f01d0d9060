namespace Transfer.Sftp.Keys;

/// <summary>A proof of the user's identity: a private key in memory or in an agent.</summary>
internal interface ISshSigner
{
    /// <summary>The key for the server: a plain key or a user certificate.</summary>
    SshPublicKey PublicKey { get; }

    /// <summary>The key's source (a file, an agent), for messages; never a secret.</summary>
    string Description { get; }

    /// <summary>Whether signing needs a person: use such a key only after the server has accepted it.</summary>
    bool NeedsUser => false;

    /// <summary>Signs; returns the signature blob (algorithm name and signature, RFC 4253 section 6.6).</summary>
    ValueTask<byte[]> SignAsync(string algorithm, ReadOnlyMemory<byte> data, CancellationToken ct);
}
