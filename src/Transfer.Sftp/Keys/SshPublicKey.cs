namespace Transfer.Sftp.Keys;

/// <summary>A public key or certificate in wire form: the type, the blob, and the check of signatures.</summary>
internal abstract class SshPublicKey
{
    /// <summary>
    /// The key type at the blob's start, for example <c>ssh-ed25519</c>, <c>ssh-rsa</c> or <c>ssh-ed25519-cert-v01@openssh.com</c>.
    /// </summary>
    public abstract string Type { get; }

    /// <summary>The wire form (RFC 4253 section 6.6).</summary>
    public abstract ReadOnlyMemory<byte> Blob { get; }

    /// <summary>The key's length in bits, as in <c>ssh-keygen -l</c>.</summary>
    public abstract int Bits { get; }

    /// <summary>
    /// The algorithms to name in negotiation and authentication, best first (RFC 8332 for RSA; never <c>ssh-rsa</c>, which is SHA-1). For
    /// a certificate the certificate forms, for example <c>rsa-sha2-512-cert-v01@openssh.com</c>; <see cref="KeyAlgorithms.Plain"/>
    /// returns the name in the signatures.
    /// </summary>
    public abstract IReadOnlyList<string> SignatureAlgorithms { get; }

    /// <summary>The fingerprint in OpenSSH's form: <c>SHA256:</c> and the blob's hash in base64 without padding.</summary>
    public string Fingerprint => SshFingerprint.Of(Blob.Span);

    /// <summary>True when the signature blob (algorithm name and signature) is of that algorithm and of this key over the data.</summary>
    /// <exception cref="TransferException"><see cref="TransferError.Protocol"/>: the blob is no signature blob at all.</exception>
    public abstract bool Verify(string algorithm, ReadOnlySpan<byte> data, ReadOnlySpan<byte> signature);
}
