using System.Buffers.Text;
using System.Security.Cryptography;

namespace Transfer.Batch.Sealing;

/// <summary>A recipient's public key: an archive sealed with the key opens only with the private half.</summary>
internal sealed class RecipientKey : IKeyWrapper, IEquatable<RecipientKey>
{
    /// <summary>The bytes of a key's hash by which a recipient finds the right wrap.</summary>
    public const int IdLength = 8;

    /// <summary>The key's id, then the ephemeral point.</summary>
    public const int ParametersLength = IdLength + P256Point.Length;

    private const string Prefix = "p256:";

    private readonly byte[] _point;

    /// <param name="point">The point, uncompressed.</param>
    /// <exception cref="TransferException"><see cref="TransferError.Protocol"/>: the point is not on the curve.</exception>
    public RecipientKey(ReadOnlySpan<byte> point)
    {
        if (!P256Point.IsValid(point)) throw new TransferException(TransferError.Protocol, "It is no public key of the curve P-256.");
        _point = point.ToArray();
    }

    public ReadOnlySpan<byte> Point => _point;

    /// <summary>The first bytes of the point's SHA-256.</summary>
    public byte[] Id => SHA256.HashData(_point)[..IdLength];

    /// <summary>Parses the text of <see cref="ToString"/>.</summary>
    /// <exception cref="TransferException"><see cref="TransferError.Protocol"/>: the text is no key.</exception>
    public static RecipientKey Parse(string text)
    {
        var point = new byte[P256Point.Length];
        var trimmed = text.AsSpan().Trim();
        if (!trimmed.StartsWith(Prefix, StringComparison.Ordinal)
            || !Base64Url.IsValid(trimmed[Prefix.Length..], out var length) || length != point.Length
            || !Base64Url.TryDecodeFromChars(trimmed[Prefix.Length..], point, out _))
        {
            throw new TransferException(TransferError.Protocol,
                $"A recipient's public key is {Prefix} and {P256Point.Length} bytes in base64url.");
        }
        return new RecipientKey(point);
    }

    public KeyWrap Wrap(JobSecret secret, JobId job)
    {
        using var ephemeral = ECDiffieHellman.Create(ECCurve.NamedCurves.nistP256);
        using var theirs = P256Point.ToKey(_point);
        byte[] parameters = [.. Id, .. P256Point.Of(ephemeral)];
        var agreed = ephemeral.DeriveRawSecretAgreement(theirs.PublicKey);
        var wrap = KeyWrap.Seal(KeyWrapKind.Recipient, parameters, [.. agreed, .. _point], secret, job);
        CryptographicOperations.ZeroMemory(agreed);
        return wrap;
    }

    public bool Equals(RecipientKey? other) => other is not null && _point.AsSpan().SequenceEqual(other._point);

    public override bool Equals(object? obj) => Equals(obj as RecipientKey);

    public override int GetHashCode() => BitConverter.ToInt32(_point, 1);

    /// <summary>The key as one word, to be handed around.</summary>
    public override string ToString() => Prefix + Base64Url.EncodeToString(_point);
}
