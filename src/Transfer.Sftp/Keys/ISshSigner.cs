namespace Transfer.Sftp.Keys;

/// <summary>Something that can prove who the user is: a private key in memory, or one that an agent keeps.</summary>
internal interface ISshSigner
{
    /// <summary>What is shown to the server: a plain key or a user certificate.</summary>
    SshPublicKey PublicKey { get; }

    /// <summary>Where it comes from (a file, an agent), for messages; never anything secret.</summary>
    string Description { get; }

    /// <summary>Signing asks a person for something: only for a key that the server has said it takes.</summary>
    bool AsksSomebody => false;

    /// <summary>Signs; returns the signature blob (algorithm name and signature, RFC 4253 section 6.6).</summary>
    ValueTask<byte[]> SignAsync(string algorithm, ReadOnlyMemory<byte> data, CancellationToken ct);
}
