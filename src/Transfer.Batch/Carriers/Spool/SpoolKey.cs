using System.Buffers.Text;
using System.Security.Cryptography;
using System.Text;
using Transfer.Batch.Carriers.Spool;
using Transfer.Batch.Carriers.Spool.Records;
using Transfer.Batch.Sealing;

namespace Transfer.Batch;

/// <summary>
/// The key of a sender or a recipient of a spool: a key pair of the curve P-256, or a key of 32 bytes or a passphrase that all of them
/// share. Holders of a shared key trust each other: each of them can send, and confirm for another. Key pairs keep them apart.
/// </summary>
public sealed class SpoolKey : IDisposable
{
    private const string SharedPrefix = "shared:";
    private const string ProofPurpose = "transfer spool 1 proof";
    private const string NamePurpose = "transfer spool 1 name";
    private const int NameLength = 8;
    private const int SignatureLength = 64;

    private readonly SharedKey? _shared;
    private readonly byte[] _proof = [];
    private readonly Passphrase? _passphrase;
    private readonly RecipientPrivateKey? _pair;
    private readonly ECDsa? _signing;
    private readonly string? _text;
    private readonly string? _name;
    private volatile Tuple<long, string>? _named; // the name, behind the salt

    private SpoolKey(ReadOnlySpan<byte> shared)
    {
        _shared = new SharedKey(shared);
        _proof = Derive(shared, ProofPurpose, HMACSHA256.HashSizeInBytes);
        _name = Convert.ToHexStringLower(Derive(shared, NamePurpose, NameLength));
        _text = SharedPrefix + Base64Url.EncodeToString(shared);
    }

    private SpoolKey(Passphrase passphrase) => _passphrase = passphrase;

    private SpoolKey(RecipientPrivateKey pair)
    {
        _pair = pair;
        _text = pair.ToPem();
        _signing = ECDsa.Create();
        _signing.ImportFromPem(_text);
        Public = new SpoolPublicKey(pair.Public);
        _name = Convert.ToHexStringLower(pair.Public.Id);
    }

    /// <summary>The public key for senders and recipients; null: the key is shared.</summary>
    public SpoolPublicKey? Public { get; }

    /// <summary>The length of a proof by <see cref="Prove"/> in bytes.</summary>
    internal int ProofLength => _signing is null ? HMACSHA256.HashSizeInBytes : SignatureLength;

    /// <summary>Seals for the holders of this key.</summary>
    internal IKeyWrapper Wrapper => ((IKeyWrapper?)_pair?.Public ?? _shared) ?? _passphrase!;

    /// <summary>Makes a key pair.</summary>
    public static SpoolKey Create() => new(RecipientPrivateKey.New());

    /// <summary>Makes a key to be shared.</summary>
    public static SpoolKey CreateShared()
    {
        var bytes = RandomNumberGenerator.GetBytes(SharedKey.Length);
        var key = new SpoolKey(bytes);
        CryptographicOperations.ZeroMemory(bytes);
        return key;
    }

    /// <summary>Takes 32 bytes that both sides have already.</summary>
    public static SpoolKey FromShared(ReadOnlySpan<byte> key)
    {
        if (key.Length != SharedKey.Length) throw new ArgumentException($"A shared key has {SharedKey.Length} bytes.", nameof(key));
        return new SpoolKey(key);
    }

    /// <summary>
    /// Creates a key from a passphrase that sender and recipients have agreed on. Every reader of the spool can try guesses, at some tenths
    /// of a second each on one processor: the strength lies in the passphrase's length.
    /// Opening a job takes as long as a guess; with a key it takes next to nothing.
    /// </summary>
    /// <param name="passphrase">A character at least; composed and decomposed letters are equal.</param>
    /// <exception cref="ArgumentException">The passphrase is empty, or not Unicode.</exception>
    public static SpoolKey FromPassphrase(ReadOnlySpan<char> passphrase) => FromPassphrase(passphrase, Passphrase.Iterations);

    /// <summary>Takes a passphrase.</summary>
    internal static SpoolKey FromPassphrase(ReadOnlySpan<char> passphrase, int iterations) => new(new Passphrase(passphrase, iterations));

    /// <summary>Parses a key file: a private key of the curve P-256 (PKCS#8 in PEM, RFC 5958 and RFC 7468), or a shared one as written by
    /// <see cref="ToText()"/>.</summary>
    /// <param name="text">The text of the file.</param>
    /// <param name="passphrase">The passphrase of an encrypted private key.</param>
    /// <exception cref="TransferException"><see cref="TransferError.Auth"/>: the text is neither, or the passphrase is wrong. The message
    /// repeats nothing of the text.</exception>
    public static SpoolKey Parse(string text, string? passphrase = null)
    {
        ArgumentNullException.ThrowIfNull(text);
        var trimmed = text.AsSpan().Trim();
        if (!trimmed.StartsWith(SharedPrefix, StringComparison.Ordinal)) return new SpoolKey(RecipientPrivateKey.FromPem(text, passphrase));
        var key = new byte[SharedKey.Length];
        trimmed = trimmed[SharedPrefix.Length..];
        if (trimmed.Length != Base64Url.GetEncodedLength(key.Length) || trimmed.ContainsAny(" \t\r\n")
            || !Base64Url.TryDecodeFromChars(trimmed, key, out var written) || written != key.Length)
        {
            throw new TransferException(TransferError.Auth, "It is no shared key: it may have been cut off or changed.");
        }

        var shared = new SpoolKey(key);
        CryptographicOperations.ZeroMemory(key);
        return shared;
    }

    /// <summary>Returns the text of a key file, not encrypted, and as secret as a password.</summary>
    /// <exception cref="InvalidOperationException">The key is a passphrase, which has no file.</exception>
    public string ToText() => _text ?? throw new InvalidOperationException("A passphrase has no key file.");

    /// <summary>Returns the text of an encrypted key file (PKCS#8 in PEM, RFC 5958, with PBES2).</summary>
    /// <param name="passphrase">The passphrase for reading the file, a character at least.</param>
    /// <exception cref="InvalidOperationException">The key is no key pair.</exception>
    public string ToText(string passphrase)
    {
        ArgumentException.ThrowIfNullOrEmpty(passphrase);
        return _pair?.ToPem(passphrase) ?? throw new InvalidOperationException("Only a key pair's file can be encrypted.");
    }

    /// <summary>Returns a constant text, so that logs never hold the key.</summary>
    public override string ToString() => "(key)";

    /// <inheritdoc/>
    public void Dispose()
    {
        _shared?.Dispose();
        _passphrase?.Dispose();
        _pair?.Dispose();
        _signing?.Dispose();
        CryptographicOperations.ZeroMemory(_proof);
    }

    /// <summary>Returns a name of the key for records in a state, which is no secret.</summary>
    /// <param name="state">The state. A passphrase has another name in each: guessing from a name works for this state alone, and takes
    /// stretching for each guess.</param>
    /// <param name="time">The clock.</param>
    /// <param name="ct">Cancels.</param>
    internal async ValueTask<string> NameAsync(SpoolState state, TimeProvider time, CancellationToken ct)
    {
        if (_passphrase is null) return _name!;
        var salt = await state.RandomAsync("salt of passphrases' names", time, ct).ConfigureAwait(false);
        if (_named is { } known && known.Item1 == salt) return known.Item2;
        var name = await Task.Run(
            () => Convert.ToHexStringLower(
            _passphrase.Stretch(new RecordWriter().Bytes(Encoding.ASCII.GetBytes(NamePurpose)).Number(salt).ToArray(), NameLength)),
            ct).ConfigureAwait(false);
        _named = new Tuple<long, string>(salt, name);
        return name;
    }

    /// <summary>Creates a ring that opens archives sealed for this key. The ring belongs to the caller, who disposes of it before the
    /// key.</summary>
    internal KeyRing CreateRing() => new(((IKeyUnwrapper?)_pair ?? _shared) ?? _passphrase!);

    /// <summary>Proves that a statement is the key holder's: a signature, or with a shared key or passphrase, an HMAC-SHA256.</summary>
    /// <param name="secret">The secret of the statement's job, known to the holders of the passphrase only, for which the secret
    /// stands.</param>
    /// <param name="statement">The statement.</param>
    internal byte[] Prove(JobSecret secret, ReadOnlySpan<byte> statement) =>
        _signing?.SignData(statement, HashAlgorithmName.SHA256, DSASignatureFormat.IeeeP1363FixedFieldConcatenation) ?? Authenticate(secret,
            statement);

    /// <summary>Whether a statement is that of the holder of a public key; with a shared key, of any holder.</summary>
    internal bool HasProved(SpoolPublicKey? who, JobSecret secret, ReadOnlySpan<byte> statement, ReadOnlySpan<byte> proof)
    {
        if (proof.Length != ProofLength || (who is null) != (_signing is null)) return false;
        return who is null
            ? CryptographicOperations.FixedTimeEquals(Authenticate(secret, statement), proof) : who.HasSigned(statement, proof);
    }

    private byte[] Authenticate(JobSecret secret, ReadOnlySpan<byte> statement)
    {
        if (_passphrase is null) return HMACSHA256.HashData(_proof, statement);
        var key = Derive(secret.Bytes, ProofPurpose, HMACSHA256.HashSizeInBytes);
        var proof = HMACSHA256.HashData(key, statement);
        CryptographicOperations.ZeroMemory(key);
        return proof;
    }

    private static byte[] Derive(ReadOnlySpan<byte> shared, string purpose, int length)
    {
        var key = new byte[length];
        HKDF.DeriveKey(HashAlgorithmName.SHA256, shared, key, salt: default, info: Encoding.ASCII.GetBytes(purpose));
        return key;
    }
}
