using System.Buffers.Text;
using System.Formats.Asn1;
using System.Security.Cryptography;
using System.Text;

namespace Transfer.Sftp.Keys.Files;

/// <summary>
/// The text of a private key file: the format, and the way to the key. The content may be secret; dispose of the object.
/// </summary>
internal sealed class PrivateKeyFile : IDisposable
{
    private readonly Format _format;
    private readonly SecretBytes _content;

    private PrivateKeyFile(Format format, SecretBytes content)
    {
        _format = format;
        _content = content;
    }

    private enum Format
    {
        OpenSsh,
        Pkcs8,
        EncryptedPkcs8,
        Pkcs1,
        Sec1,
    }

    public bool IsEncrypted =>
        _format == Format.EncryptedPkcs8 || (_format == Format.OpenSsh && new OpenSshKeyFormat(_content.Span).IsEncrypted);

    /// <summary>The public half, where the file shows it without a passphrase; else null.</summary>
    /// <exception cref="TransferException">The key is damaged, or of an unsupported kind.</exception>
    public SshPublicKey? PublicKey =>
        _format == Format.OpenSsh ? SshPublicKeys.Parse(new OpenSshKeyFormat(_content.Span).PublicKey.ToArray()) : null;

    /// <summary>Finds the key in the text (RFC 7468): OpenSSH's format, PKCS #8, PKCS #1 or SEC 1.</summary>
    /// <exception cref="TransferException">
    /// <see cref="TransferError.Protocol"/>: no private key in the text; <see cref="TransferError.Unsupported"/>: another format.
    /// </exception>
    public static PrivateKeyFile Find(ReadOnlySpan<byte> text)
    {
        if (text.StartsWith("PuTTY-User-Key-File-"u8))
        {
            throw new TransferException(TransferError.Unsupported,
                "PuTTY's format is not supported; 'puttygen FILE -O private-openssh-new -o NEW' converts it.");
        }

        if (text.IndexOf("Proc-Type: 4,ENCRYPTED"u8) >= 0)
        {
            throw new TransferException(TransferError.Unsupported,
                "The key is encrypted in the old PEM way, which hashes the passphrase once, with MD5; 'ssh-keygen -p -f FILE' rewrites "
                + "it.");
        }

        while (PemEncoding.TryFindUtf8(text, out var fields))
        {
            if (FormatOf(Encoding.ASCII.GetString(text[fields.Label])) is { } format)
            {
                var content = new SecretBytes(fields.DecodedDataLength);
                Base64.DecodeFromUtf8(text[fields.Base64Data], content.Span, out _, out _);
                return new PrivateKeyFile(format, content);
            }

            text = text[fields.Location.End..];
        }

        if (PublicKeyText.IsPublicKey(text))
        {
            throw new TransferException(TransferError.Protocol,
                "This is the public half of a key: the private one, in the file of that name without .pub, is wanted.");
        }

        throw new TransferException(TransferError.Protocol, "The text holds no private key.");
    }

    /// <summary>Checks that an encrypted file can be decrypted, before a passphrase is requested.</summary>
    /// <exception cref="TransferException">
    /// <see cref="TransferError.Unsupported"/>: encrypted in another way; <see cref="TransferError.Protocol"/>: damaged.
    /// </exception>
    public void CheckCipher()
    {
        if (_format == Format.OpenSsh)
        {
            new OpenSshKeyFormat(_content.Span).CheckCipher();
            return;
        }

        try
        {
            Pbes2.Read(_content.Memory);
        }
        catch (AsnContentException error)
        {
            throw Damaged(error);
        }
    }

    /// <summary>Decrypts and reads the key. The passphrase is ignored when the file is not encrypted.</summary>
    /// <exception cref="TransferException">
    /// <see cref="TransferError.Auth"/>: wrong passphrase; <see cref="TransferError.Protocol"/>: damaged;
    /// <see cref="TransferError.Unsupported"/>: another cipher or kind of key.
    /// </exception>
    public (SshPrivateKey Key, string Comment) Decode(ReadOnlySpan<byte> passphrase, CancellationToken ct)
    {
        SshPrivateKey? key = null;
        try
        {
            var comment = string.Empty;
            if (_format == Format.OpenSsh) (key, comment) = new OpenSshKeyFormat(_content.Span).Decode(passphrase, ct);
            else key = DecodeDer(passphrase);
            key.CheckPair();
            return (key, comment);
        }
        catch (Exception error) when (error is CryptographicException or AsnContentException)
        {
            key?.Dispose();
            throw Damaged(error);
        }
        catch (PlatformNotSupportedException error)
        {
            throw new TransferException(TransferError.Unsupported, "This system does not have the key's elliptic curve.", error);
        }
        catch
        {
            key?.Dispose();
            throw;
        }
    }

    public void Dispose() => _content.Dispose();

    private SshPrivateKey DecodeDer(ReadOnlySpan<byte> passphrase)
    {
        switch (_format)
        {
            case Format.Pkcs1:
                return PlatformKeys.Rsa(rsa => rsa.ImportRSAPrivateKey(_content.Span, out _));
            case Format.Sec1:
                return PlatformKeys.Ecdsa(ecdsa => ecdsa.ImportECPrivateKey(_content.Span, out _));
            case Format.Pkcs8:
                return Pkcs8.Decode(_content.Memory);
        }

        using var plain = new SecretBytes(_content.Span.Length);
        if (Pbes2.Read(_content.Memory).Decrypt(passphrase, plain.Span) is not { } length) throw WrongPassphrase();
        try
        {
            return Pkcs8.Decode(plain.Memory[..length]);
        }
        catch (AsnContentException)
        {
            // One wrong passphrase in 256 gets the padding right.
            throw WrongPassphrase();
        }
    }

    private static Format? FormatOf(string label) => label switch
    {
        "OPENSSH PRIVATE KEY" => Format.OpenSsh,
        "PRIVATE KEY" => Format.Pkcs8,
        "ENCRYPTED PRIVATE KEY" => Format.EncryptedPkcs8,
        "RSA PRIVATE KEY" => Format.Pkcs1,
        "EC PRIVATE KEY" => Format.Sec1,
        _ => null,
    };

    private static TransferException Damaged(Exception error) => new(TransferError.Protocol, "The key is damaged.", error);

    private static TransferException WrongPassphrase() => new(TransferError.Auth, "The passphrase is wrong.");
}
