using System.Security.Cryptography;
using Transfer.Batch.Sealing;

namespace Transfer.Batch;

/// <summary>The public half of a <see cref="SpoolKey"/>: what others know its holder by. It is no secret.</summary>
public sealed class SpoolPublicKey : IEquatable<SpoolPublicKey>
{
    internal SpoolPublicKey(RecipientKey key) => Recipient = key;

    /// <summary>Seals for its holder.</summary>
    internal RecipientKey Recipient { get; }

    /// <summary>Reads what <see cref="ToString"/> gives; white space around it does not matter.</summary>
    /// <exception cref="FormatException">It is no public key.</exception>
    public static SpoolPublicKey Parse(string text)
    {
        ArgumentNullException.ThrowIfNull(text);
        try
        {
            return new SpoolPublicKey(RecipientKey.Parse(text));
        }
        catch (TransferException e)
        {
            throw new FormatException(e.Message, e);
        }
    }

    /// <inheritdoc/>
    public bool Equals(SpoolPublicKey? other) => other is not null && other.Recipient.Equals(Recipient);

    /// <inheritdoc/>
    public override bool Equals(object? obj) => Equals(obj as SpoolPublicKey);

    /// <inheritdoc/>
    public override int GetHashCode() => Recipient.GetHashCode();

    /// <summary>The key as one word: <c>p256:</c> and its point in base64url.</summary>
    public override string ToString() => Recipient.ToString();

    /// <summary>True: its holder has signed this (ECDSA with SHA-256; FIPS 186-4 section 6, both numbers with 32 bytes).</summary>
    internal bool HasSigned(ReadOnlySpan<byte> statement, ReadOnlySpan<byte> signature)
    {
        var point = Recipient.Point;
        using var key = ECDsa.Create(new ECParameters
        {
            Curve = ECCurve.NamedCurves.nistP256,
            Q = new ECPoint { X = point[1..33].ToArray(), Y = point[33..].ToArray() },
        });
        return key.VerifyData(statement, signature, HashAlgorithmName.SHA256, DSASignatureFormat.IeeeP1363FixedFieldConcatenation);
    }
}
