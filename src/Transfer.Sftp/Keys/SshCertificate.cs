using Transfer.Sftp.Ssh.Wire;

namespace Transfer.Sftp.Keys;

/// <summary>
/// An OpenSSH certificate (PROTOCOL.certkeys in OpenSSH's source): a key, the principals and validity, and an authority's signature, which
/// is checked on reading. The caller checks whether the authority is trusted, and the name and time.
/// </summary>
internal sealed class SshCertificate : SshPublicKey
{
    private SshCertificate(string type, ReadOnlyMemory<byte> blob, SshPublicKey key, SshPublicKey authority)
    {
        Type = type;
        Blob = blob;
        Key = key;
        Authority = authority;
        SignatureAlgorithms = [.. key.SignatureAlgorithms.Select(KeyAlgorithms.Certificate)];
    }

    public override string Type { get; }

    public override ReadOnlyMemory<byte> Blob { get; }

    public override int Bits => Key.Bits;

    public override IReadOnlyList<string> SignatureAlgorithms { get; }

    /// <summary>The key that is certified.</summary>
    public SshPublicKey Key { get; }

    /// <summary>The authority's key.</summary>
    public SshPublicKey Authority { get; }

    /// <summary>The algorithm of the authority's signature.</summary>
    public required string AuthorityAlgorithm { get; init; }

    public required ulong Serial { get; init; }

    public required SshCertificateKind Kind { get; init; }

    /// <summary>The authority's name for the key, for messages and logs.</summary>
    public required string KeyId { get; init; }

    /// <summary>
    /// User or host names. A host's certificate without any is for no host (OpenSSH since 10.3); before, it was for every host.
    /// </summary>
    public required IReadOnlyList<string> Principals { get; init; }

    /// <summary>Seconds since 1970: valid from, included.</summary>
    public required ulong ValidAfter { get; init; }

    /// <summary>Seconds since 1970: valid until, excluded; 2^64-1 means forever.</summary>
    public required ulong ValidBefore { get; init; }

    /// <summary>Conditions that a reader without knowledge of them must refuse; none is defined for hosts.</summary>
    public required IReadOnlyList<string> CriticalOptions { get; init; }

    /// <summary>Reads a certificate and checks the signature.</summary>
    /// <exception cref="TransferException">
    /// <see cref="TransferError.Protocol"/>: malformed, or the signature is not the authority's; <see cref="TransferError.Unsupported"/>:
    /// of an unsupported type, or signed with an unsupported algorithm.
    /// </exception>
    public static SshCertificate Parse(ReadOnlyMemory<byte> blob)
    {
        var reader = new SshReader(blob.Span);
        var type = reader.ReadText();
        reader.ReadString(); // the nonce
        var key = SshPublicKeys.ReadFields(KeyAlgorithms.Plain(type), ref reader);
        var serial = reader.ReadUInt64();
        var kind = reader.ReadUInt32();
        var keyId = reader.ReadText();
        var principals = ReadStrings(reader.ReadString());
        var validAfter = reader.ReadUInt64();
        var validBefore = reader.ReadUInt64();
        var critical = ReadOptionNames(reader.ReadString());
        reader.ReadString(); // extensions: permissions for the server to read
        reader.ReadString(); // reserved
        var authorityBlob = reader.ReadString();
        var signed = blob.Span[..(blob.Length - reader.Rest.Length)];
        var signature = reader.ReadString();
        if (!reader.Rest.IsEmpty || kind is not (1 or 2)) throw Bad("is malformed");

        if (KeyAlgorithms.IsCertificate(SshPublicKeys.TypeOf(authorityBlob))) throw Bad("is signed by another certificate");
        var authority = SshPublicKeys.Parse(authorityBlob.ToArray());
        var algorithm = new SshReader(signature).ReadText();
        if (!authority.SignatureAlgorithms.Contains(algorithm))
        {
            throw new TransferException(TransferError.Unsupported,
                $"A certificate is signed with an algorithm that is not accepted for its authority's {authority.Type} key.");
        }

        if (!authority.Verify(algorithm, signed, signature)) throw Bad("does not carry its authority's signature");

        return new SshCertificate(type, blob, key, authority)
        {
            AuthorityAlgorithm = algorithm,
            Serial = serial,
            Kind = (SshCertificateKind)kind,
            KeyId = keyId,
            Principals = principals,
            ValidAfter = validAfter,
            ValidBefore = validBefore,
            CriticalOptions = critical,
        };
    }

    /// <summary>True when the moment is inside the certificate's time.</summary>
    public bool IsValidAt(DateTimeOffset moment)
    {
        var seconds = (ulong)Math.Max(0, moment.ToUnixTimeSeconds());
        return seconds >= ValidAfter && seconds < ValidBefore;
    }

    /// <summary>Checks a signature of the certified key; the algorithm may be named in the plain or certificate form.</summary>
    public override bool Verify(string algorithm, ReadOnlySpan<byte> data, ReadOnlySpan<byte> signature) =>
        Key.Verify(KeyAlgorithms.Plain(algorithm), data, signature);

    private static List<string> ReadStrings(ReadOnlySpan<byte> packed)
    {
        var strings = new List<string>();
        for (var reader = new SshReader(packed); !reader.Rest.IsEmpty;) strings.Add(reader.ReadText());
        return strings;
    }

    private static List<string> ReadOptionNames(ReadOnlySpan<byte> packed)
    {
        var names = new List<string>();
        for (var reader = new SshReader(packed); !reader.Rest.IsEmpty; reader.ReadString()) names.Add(reader.ReadText());
        return names;
    }

    private static TransferException Bad(string how) => new(TransferError.Protocol, $"An SSH certificate {how}.");
}
