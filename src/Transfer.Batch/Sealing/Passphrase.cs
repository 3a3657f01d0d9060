using System.Buffers.Binary;
using System.Security.Cryptography;
using System.Text;

namespace Transfer.Batch.Sealing;

/// <summary>A passphrase that both sides know, stretched by PBKDF2 with HMAC-SHA512 (RFC 8018).</summary>
internal sealed class Passphrase : IKeyWrapper, IKeyUnwrapper, IDisposable
{
    /// <summary>The rounds of PBKDF2 for new wraps.</summary>
    public const int Iterations = 600_000;

    /// <summary>The most rounds accepted from a header, which is not authentic before they are done.</summary>
    public const int MostIterations = 2_000_000;

    private const int SaltLength = 16;
    private const int ParametersLength = sizeof(int) + SaltLength;
    private const int StretchedLength = 32;

    // The most code units into which composing turns one UTF-16 code unit (UAX 15).
    private const int MostComposed = 3;

    private readonly byte[] _text;
    private readonly int _iterations;

    /// <param name="text">The passphrase, at least one character.</param>
    /// <param name="iterations">Rounds when wrapping.</param>
    /// <exception cref="ArgumentException">The passphrase is empty, or not Unicode.</exception>
    public Passphrase(ReadOnlySpan<char> text, int iterations = Iterations)
    {
        if (text.IsEmpty) throw new ArgumentException("A passphrase has a character at least.", nameof(text));
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(iterations);
        // Composed, so that the passphrase is the same on every system and keyboard.
        var composed = GC.AllocateUninitializedArray<char>(text.Length * MostComposed, pinned: true);
        try
        {
            text.TryNormalize(composed, out var length, NormalizationForm.FormC);
            _text = GC.AllocateUninitializedArray<byte>(Encoding.UTF8.GetByteCount(composed.AsSpan(0, length)), pinned: true);
            Encoding.UTF8.GetBytes(composed.AsSpan(0, length), _text);
        }
        finally
        {
            composed.AsSpan().Clear();
        }
        _iterations = iterations;
    }

    public KeyWrap Wrap(JobSecret secret, JobId job)
    {
        Span<byte> parameters = stackalloc byte[ParametersLength];
        BinaryPrimitives.WriteInt32BigEndian(parameters, _iterations);
        RandomNumberGenerator.Fill(parameters[sizeof(int)..]);
        Span<byte> stretched = stackalloc byte[StretchedLength];
        Stretch(parameters, stretched);
        var wrap = KeyWrap.Seal(KeyWrapKind.Passphrase, parameters, stretched, secret, job);
        CryptographicOperations.ZeroMemory(stretched);
        return wrap;
    }

    public JobSecret? Unwrap(KeyWrap wrap, JobId job)
    {
        if (wrap.Kind != KeyWrapKind.Passphrase || wrap.Body.Length != ParametersLength + KeyWrap.SealedLength) return null;
        var parameters = wrap.Body.Span[..ParametersLength];
        if (BinaryPrimitives.ReadInt32BigEndian(parameters) is < 1 or > MostIterations) return null;
        Span<byte> stretched = stackalloc byte[StretchedLength];
        Stretch(parameters, stretched);
        var secret = wrap.Open(ParametersLength, stretched, job);
        CryptographicOperations.ZeroMemory(stretched);
        return secret;
    }

    /// <summary>Stretches the passphrase for another purpose than wrapping, which the salt must name. A guess against these bytes costs as
    /// much as against a wrap.</summary>
    public byte[] Stretch(ReadOnlySpan<byte> salt, int length) =>
        Rfc2898DeriveBytes.Pbkdf2(_text, salt, _iterations, HashAlgorithmName.SHA512, length);

    public void Dispose() => CryptographicOperations.ZeroMemory(_text);

    private void Stretch(ReadOnlySpan<byte> parameters, Span<byte> stretched) =>
        Rfc2898DeriveBytes.Pbkdf2(_text, parameters[sizeof(int)..], stretched, BinaryPrimitives.ReadInt32BigEndian(parameters),
            HashAlgorithmName.SHA512);
}
