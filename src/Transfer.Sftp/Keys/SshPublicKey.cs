namespace Transfer.Sftp.Keys;

/// <summary>A public key or certificate as it travels: its type, its blob, and how signatures are checked against it.</summary>
internal abstract class SshPublicKey
{
    /// <summary>The key type at the blob's start, for example <c>ssh-ed25519</c>, <c>ssh-rsa</c> or <c>ssh-ed25519-cert-v01@openssh.com</c>.</summary>
    public abstract string Type { get; }

    /// <summary>The wire form (RFC 4253 section 6.6).</summary>
    public abstract ReadOnlyMemory<byte> Blob { get; }

    /// <summary>The key's length as <c>ssh-keygen -l</c> shows it.</summary>
    public abstract int Bits { get; }

    /// <summary>
    /// The algorithms to name in negotiation and authentication, best first (RFC 8332 for RSA; never <c>ssh-rsa</c>, which is SHA-1). A certificate's are
    /// its certificate forms, for example <c>rsa-sha2-512-cert-v01@openssh.com</c>; <see cref="KeyAlgorithms.Plain"/> gives the one that its signatures name.
    /// </summary>
    public abstract IReadOnlyList<string> SignatureAlgorithms { get; }

    /// <summary>The fingerprint as OpenSSH shows it: <c>SHA256:</c> and the blob's hash in base64 without padding.</summary>
    public string Fingerprint => SshFingerprint.Of(Blob.Span);

    /// <summary>True when the signature blob (algorithm name and signature) is of that algorithm and of this key over the data.</summary>
    /// <exception cref="TransferException"><see cref="TransferError.Protocol"/>: the blob is no signature blob at all.</exception>
    public abstract bool Verify(string algorithm, ReadOnlySpan<byte> data, ReadOnlySpan<byte> signature);
}
