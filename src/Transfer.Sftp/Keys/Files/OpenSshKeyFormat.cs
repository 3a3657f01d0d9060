using System.Security.Cryptography;
using Transfer.Sftp.Crypto;
using Transfer.Sftp.Ssh.Wire;

namespace Transfer.Sftp.Keys.Files;

/// <summary>OpenSSH's own format of private keys (PROTOCOL.key in OpenSSH's source), plain or encrypted with bcrypt and AES.</summary>
internal ref struct OpenSshKeyFormat
{
    private const int BlockWithoutCipher = 8;

    private readonly string _cipher;
    private readonly string _kdf;
    private readonly ReadOnlySpan<byte> _kdfOptions;
    private readonly ReadOnlySpan<byte> _publicKey;
    private readonly ReadOnlySpan<byte> _private;
    private readonly ReadOnlySpan<byte> _tag;

    /// <summary>Reads the part that is not encrypted.</summary>
    /// <exception cref="TransferException">
    /// <see cref="TransferError.Protocol"/>: malformed; <see cref="TransferError.Unsupported"/>: not one key.
    /// </exception>
    public OpenSshKeyFormat(ReadOnlySpan<byte> file)
    {
        var magic = "openssh-key-v1\0"u8;
        if (!file.StartsWith(magic)) throw Damaged();
        var reader = new SshReader(file[magic.Length..]);
        _cipher = reader.ReadText();
        _kdf = reader.ReadText();
        _kdfOptions = reader.ReadString();
        if (reader.ReadUInt32() != 1) throw new TransferException(TransferError.Unsupported, "The file holds several keys.");
        _publicKey = reader.ReadString();
        _private = reader.ReadString();
        _tag = reader.Rest;
    }

    /// <summary>The public half, which is never encrypted.</summary>
    public readonly ReadOnlySpan<byte> PublicKey => _publicKey;

    public readonly bool IsEncrypted => _cipher != "none";

    /// <summary>Checks that the key can be decrypted, before a passphrase is requested.</summary>
    /// <exception cref="TransferException"><see cref="TransferError.Unsupported"/>: encrypted in another way.</exception>
    public readonly KeyFileCipher CheckCipher() => _kdf == "bcrypt" && KeyFileCipher.Find(_cipher) is { } cipher
        ? cipher
        : throw new TransferException(TransferError.Unsupported,
            "The key is encrypted in a way that is not supported; 'ssh-keygen -p -Z aes256-ctr -f FILE' changes that.");

    /// <summary>Decrypts and reads the key. The passphrase is ignored when the file is not encrypted.</summary>
    /// <exception cref="TransferException">
    /// <see cref="TransferError.Auth"/>: wrong passphrase; <see cref="TransferError.Protocol"/>: damaged;
    /// <see cref="TransferError.Unsupported"/>: another cipher or kind of key.
    /// </exception>
    public readonly (SshPrivateKey Key, string Comment) Decode(ReadOnlySpan<byte> passphrase, CancellationToken ct)
    {
        if (!IsEncrypted)
        {
            if (_kdf != "none" || !_tag.IsEmpty || _private.Length % BlockWithoutCipher != 0) throw Damaged();
            return Read(_private);
        }

        using var plain = new SecretBytes(_private.Length);
        Decrypt(passphrase, plain.Span, ct);
        return Read(plain.Span);
    }

    private readonly void Decrypt(ReadOnlySpan<byte> passphrase, Span<byte> plain, CancellationToken ct)
    {
        var cipher = CheckCipher();
        var options = new SshReader(_kdfOptions);
        var salt = options.ReadString();
        var rounds = options.ReadUInt32();
        if (!options.Rest.IsEmpty || salt.IsEmpty || rounds == 0 || _private.Length % 16 != 0 || _tag.Length != cipher.TagSize)
            throw Damaged();
        if (rounds > BcryptPbkdf.MaximumRounds)
        {
            throw new TransferException(TransferError.Unsupported,
                $"The key asks for {rounds} rounds of bcrypt; {BcryptPbkdf.MaximumRounds} are the most that is accepted.");
        }

        using var derived = new SecretBytes(cipher.KeySize + cipher.NonceSize);
        BcryptPbkdf.Derive(passphrase, salt, (int)rounds, derived.Span, ct);
        if (!cipher.TryDecrypt(derived.Span[..cipher.KeySize], derived.Span[cipher.KeySize..], _private, _tag, plain))
            throw WrongPassphrase();
    }

    private readonly (SshPrivateKey Key, string Comment) Read(ReadOnlySpan<byte> plain)
    {
        var reader = new SshReader(plain);
        if (plain.Length < 8 || reader.ReadUInt32() != reader.ReadUInt32()) throw IsEncrypted ? WrongPassphrase() : Damaged();
        var key = ReadKey(ref reader);
        try
        {
            var comment = reader.ReadText();
            for (var i = 0; i < reader.Rest.Length; i++)
            {
                if (reader.Rest[i] != (byte)(i + 1)) throw Damaged();
            }

            if (!key.PublicKey.Blob.Span.SequenceEqual(_publicKey))
                throw new TransferException(TransferError.Protocol, "The private and the public half of the key do not belong together.");
            return (key, comment);
        }
        catch
        {
            key.Dispose();
            throw;
        }
    }

    private static SshPrivateKey ReadKey(ref SshReader reader)
    {
        var type = reader.ReadText();
        switch (type)
        {
            case KeyAlgorithms.Ed25519:
                reader.ReadString(); // the public key, which is derived instead
                var both = reader.ReadString();
                return both.Length == 64 ? new Ed25519Key(both[..32]) : throw Damaged();
            case KeyAlgorithms.RsaKey:
                return RsaParts.Read(ref reader);
        }

        if (!type.StartsWith(KeyAlgorithms.EcdsaPrefix, StringComparison.Ordinal)
            || NistCurve.Find(type[KeyAlgorithms.EcdsaPrefix.Length..]) is not { } curve)
        {
            throw new TransferException(TransferError.Unsupported,
                "The file holds a kind of key that is not supported; ed25519, ecdsa and rsa are.");
        }

        if (reader.ReadText() != curve.Name) throw Damaged();
        var point = curve.DecodePoint(reader.ReadString());
        var secret = reader.ReadUnsignedInteger();
        if (secret.Length > curve.Size) throw Damaged();
        var parameters = new ECParameters { Curve = curve.Curve, Q = point, D = GC.AllocateArray<byte>(curve.Size, pinned: true) };
        secret.CopyTo(parameters.D.AsSpan(curve.Size - secret.Length));
        try
        {
            return new EcdsaKey(ECDsa.Create(parameters));
        }
        finally
        {
            CryptographicOperations.ZeroMemory(parameters.D);
        }
    }

    private static TransferException Damaged() => new(TransferError.Protocol, "The key is damaged.");

    private static TransferException WrongPassphrase() => new(TransferError.Auth, "The passphrase is wrong.");
}
