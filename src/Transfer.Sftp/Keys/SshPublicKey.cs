namespace Transfer.Sftp.Keys;

/// <summary>A public key or certificate as it travels: its type, its blob, and how signatures are checked against it.</summary>
internal abstract class SshPublicKey
{
    /// <summary>The key type at the blob's start, for example <c>ssh-ed25519</c>, <c>ssh-rsa</c> or <c>ssh-ed25519-cert-v01@openssh.com</c>.</summary>
    public abstract string Type { get; }

    /// <summary>The wire form (RFC 4253 section 6.6).</summary>
    public abstract ReadOnlyMemory<byte> Blob { get; }

    /// <summary>The signature algorithms that this key can make, best first (RFC 8332 for RSA; never <c>ssh-rsa</c>, which is SHA-1).</summary>
    public abstract IReadOnlyList<string> SignatureAlgorithms { get; }

    /// <summary>True when the signature blob (algorithm name and signature) is of that algorithm and of this key over the data.</summary>
    public abstract bool Verify(string algorithm, ReadOnlySpan<byte> data, ReadOnlySpan<byte> signature);
}
