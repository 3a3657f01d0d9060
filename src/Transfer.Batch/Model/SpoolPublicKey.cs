using System.Security.Cryptography;
using Transfer.Batch.Sealing;

namespace Transfer.Batch;

/// <summary>The public half of a <see cref="SpoolKey"/>, by which senders and recipients know the key's holder. Not a secret.</summary>
public sealed class SpoolPublicKey : IEquatable<SpoolPublicKey>
{
    internal SpoolPublicKey(RecipientKey key) => Recipient = key;

    /// <summary>The key with which to seal for the holder.</summary>
    internal RecipientKey Recipient { get; }

    /// <summary>Parses the text of <see cref="ToString"/>; white space at both ends does not matter.</summary>
    /// <exception cref="FormatException">The text is no public key.</exception>
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

    /// <summary>Returns the key as one word: <c>p256:</c> and the point in base64url.</summary>
    public override string ToString() => Recipient.ToString();

    /// <summary>Whether the key's holder has signed this statement (ECDSA with SHA-256; FIPS 186-4 section 6, both numbers with 32
    /// bytes).</summary>
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
