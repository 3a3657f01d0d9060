using Transfer.Sftp.Crypto;
using Transfer.Sftp.Ssh.Wire;

namespace Transfer.Sftp.Keys;

/// <summary>Reads public key blobs.</summary>
internal static class SshPublicKeys
{
    /// <summary>
    /// Reads one blob: <c>ssh-ed25519</c>, <c>ecdsa-sha2-nistp256/384/521</c>, <c>ssh-rsa</c>, or an OpenSSH certificate of one of them.
    /// </summary>
    /// <exception cref="TransferException">
    /// <see cref="TransferError.Protocol"/>: malformed, or not a point; <see cref="TransferError.Unsupported"/>: another type, or an RSA
    /// key of the wrong size.
    /// </exception>
    public static SshPublicKey Parse(ReadOnlyMemory<byte> blob)
    {
        var reader = new SshReader(blob.Span);
        var type = reader.ReadText();
        if (KeyAlgorithms.IsCertificate(type)) return SshCertificate.Parse(blob);
        var key = ReadFields(type, ref reader);

        // Blobs are trusted and pinned: one key must have one blob.
        if (!key.Blob.Span.SequenceEqual(blob.Span))
            throw new TransferException(TransferError.Protocol, "A public key is not in its canonical form.");
        return key;
    }

    /// <summary>The type at a blob's start, without looking at the rest.</summary>
    public static string TypeOf(ReadOnlySpan<byte> blob) => new SshReader(blob).ReadText();

    /// <summary>Reads the fields of a plain key after the type.</summary>
    internal static SshPublicKey ReadFields(string type, ref SshReader reader)
    {
        switch (type)
        {
            case KeyAlgorithms.Ed25519:
                return new Ed25519PublicKey(reader.ReadString());
            case KeyAlgorithms.RsaKey:
                var exponent = reader.ReadUnsignedInteger();
                return new RsaPublicKey(exponent, reader.ReadUnsignedInteger());
        }

        if (!type.StartsWith(KeyAlgorithms.EcdsaPrefix, StringComparison.Ordinal)
            || NistCurve.Find(type[KeyAlgorithms.EcdsaPrefix.Length..]) is not { } curve)
        {
            throw new TransferException(TransferError.Unsupported, $"Public keys of the type {Printable(type)} are not supported.");
        }

        var named = reader.ReadText();
        if (named != curve.Name)
            throw new TransferException(TransferError.Protocol, $"A public key of the type {type} names another curve.");
        return new EcdsaPublicKey(curve, reader.ReadString());
    }

    /// <summary>A name from the wire, short and without control characters, for messages.</summary>
    internal static string Printable(string name)
    {
        var clean = string.Concat(name.Take(64).Select(c => char.IsAsciiLetterOrDigit(c) || c is '-' or '.' or '@' or '_' ? c : '?'));
        return name.Length > 64 ? clean + "…" : clean;
    }
}
