using System.Security.Cryptography;
using Transfer.Sftp.Crypto;
using Transfer.Sftp.Keys;
using Transfer.Sftp.Keys.Files;
using Transfer.Testing.Keys;

namespace Transfer.Testing;

/// <summary>
/// A key pair for tests: of a server (<see cref="SftpTestServerOptions.HostKeys"/>) or of a user (<see
/// cref="SftpTestServerOptions.AuthorizedKeys"/>).
/// </summary>
public sealed class SftpTestKey : IDisposable
{
    private SftpTestKey(SshPrivateKey key, string text)
    {
        Key = key;
        PrivateKey = text;
    }

    /// <summary>The private key as the text of a key file, not encrypted: OpenSSH's format, SEC 1 for ECDSA, PKCS #1 for RSA.</summary>
    public string PrivateKey { get; }

    /// <summary>The public key as in <c>authorized_keys</c> and <c>.pub</c> files: the type and the key in base64.</summary>
    public string PublicKey => $"{Key.PublicKey.Type} {Convert.ToBase64String(Key.PublicKey.Blob.Span)}";

    /// <summary>The public key's fingerprint in OpenSSH's form: <c>SHA256:</c> and base64 without padding.</summary>
    public string Fingerprint => Key.PublicKey.Fingerprint;

    internal SshPrivateKey Key { get; }

    /// <summary>Makes a new key pair.</summary>
    public static SftpTestKey Create(SftpTestKeyType type = SftpTestKeyType.Ed25519)
    {
        switch (type)
        {
            case SftpTestKeyType.Ed25519:
                var seed = RandomNumberGenerator.GetBytes(Ed25519.SeedSize);
                var key = new Ed25519Key(seed);
                return new SftpTestKey(key, OpenSshKeyText.Write(seed, key.PublicKey));
            case SftpTestKeyType.Ecdsa:
                var ecdsa = ECDsa.Create(ECCurve.NamedCurves.nistP256);
                return new SftpTestKey(new EcdsaKey(ecdsa), ecdsa.ExportECPrivateKeyPem());
            case SftpTestKeyType.Rsa:
                var rsa = RSA.Create(RsaPublicKey.MinimumBits);
                return new SftpTestKey(new RsaKey(rsa), rsa.ExportRSAPrivateKeyPem());
            default:
                throw new ArgumentOutOfRangeException(nameof(type));
        }
    }

    /// <summary>Reads a private key from the text of a key file: OpenSSH's format, PKCS #8, PKCS #1 or SEC 1.</summary>
    /// <exception cref="TransferException">
    /// <see cref="TransferError.Auth"/>: the passphrase is missing or wrong; <see cref="TransferError.Protocol"/>: no private key;
    /// <see cref="TransferError.Unsupported"/>: another format or kind of key.
    /// </exception>
    public static SftpTestKey FromText(string text, string? passphrase = null)
    {
        ArgumentException.ThrowIfNullOrEmpty(text);
        using var bytes = SecretBytes.FromText(text);
        using var file = PrivateKeyFile.Find(bytes.Span);
        using var secret = SecretBytes.FromText(passphrase);
        return new SftpTestKey(file.Decode(secret.Span, CancellationToken.None).Key, text);
    }

    /// <summary>The type and the fingerprint, nothing secret.</summary>
    public override string ToString() => $"{Key.PublicKey.Type} {Fingerprint}";

    /// <inheritdoc/>
    public void Dispose() => Key.Dispose();
}
