namespace Transfer.Testing;

/// <summary>Kinds of keys that <see cref="SftpTestKey"/> makes.</summary>
public enum SftpTestKeyType
{
    /// <summary><c>ssh-ed25519</c> (RFC 8709).</summary>
    Ed25519,

    /// <summary><c>ecdsa-sha2-nistp256</c> (RFC 5656).</summary>
    Ecdsa,

    /// <summary><c>ssh-rsa</c> of 2,048 bits, with SHA-2 signatures (RFC 8332).</summary>
    Rsa,
}
