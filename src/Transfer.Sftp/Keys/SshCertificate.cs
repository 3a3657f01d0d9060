using Transfer.Sftp.Ssh.Wire;

namespace Transfer.Sftp.Keys;

/// <summary>
/// An OpenSSH certificate (PROTOCOL.certkeys in OpenSSH's source): a key, the principals and validity, and an authority's signature. The
/// reader of a host's certificate checks that signature (<see cref="FindFlaw"/>), whether the authority is trusted, the name and the time;
/// a user's certificate is the server's to judge.
/// </summary>
internal sealed class SshCertificate : SshPublicKey
{
    private const int MostShown = 8;

    private readonly int _signedLength;

    private SshCertificate(string type, ReadOnlyMemory<byte> blob, int signedLength, SshPublicKey key)
    {
        Type = type;
        Blob = blob;
        _signedLength = signedLength;
        Key = key;
        SignatureAlgorithms = [.. key.SignatureAlgorithms.Select(KeyAlgorithms.Certificate)];
    }

    public override string Type { get; }

    public override ReadOnlyMemory<byte> Blob { get; }

    public override int Bits => Key.Bits;

    public override IReadOnlyList<string> SignatureAlgorithms { get; }

    /// <summary>The key that is certified.</summary>
    public SshPublicKey Key { get; }

    /// <summary>The authority's key in wire form, perhaps of a kind that is not supported.</summary>
    public required ReadOnlyMemory<byte> Authority { get; init; }

    /// <summary>The algorithm of the authority's signature, as the certificate names it.</summary>
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

    /// <summary>Reads a certificate without a check of the signature.</summary>
    /// <exception cref="TransferException">
    /// <see cref="TransferError.Protocol"/>: malformed; <see cref="TransferError.Unsupported"/>: for an unsupported type of key.
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
        var authority = reader.ReadString();
        var signedLength = blob.Length - reader.Rest.Length;
        var algorithm = new SshReader(reader.ReadString()).ReadText();
        if (!reader.Rest.IsEmpty || kind is not (1 or 2))
            throw new TransferException(TransferError.Protocol, "An SSH certificate is malformed.");
        return new SshCertificate(type, blob, signedLength, key)
        {
            Authority = authority.ToArray(),
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

    /// <summary>
    /// Checks the authority's signature. Returns why the certificate proves nothing; null: the signature is the authority's.
    /// </summary>
    public string? FindFlaw()
    {
        try
        {
            var type = SshPublicKeys.TypeOf(Authority.Span);
            if (KeyAlgorithms.IsCertificate(type)) return "its authority's key is a certificate";
            var authority = SecurityKeyPublicKey.IsOne(type) ? new SecurityKeyPublicKey(Authority) : SshPublicKeys.Parse(Authority);
            var signature = new SshReader(Blob.Span[_signedLength..]).ReadString();
            return !authority.SignatureAlgorithms.Contains(AuthorityAlgorithm)
                ? $"it is signed by {SshPublicKeys.Printable(AuthorityAlgorithm)}, which is not taken from its authority, {authority.Type}"
                : authority.Verify(AuthorityAlgorithm, Blob.Span[.._signedLength], signature) ? null
                : $"it does not carry the signature of the authority's {authority.Type} key";
        }
        catch (TransferException e)
        {
            return $"its authority's key is none that can be used ({e.Message.TrimEnd('.')})";
        }
    }

    /// <summary>
    /// Returns why a user's certificate is not for this user now, by its own fields, which a server may judge otherwise
    /// (AuthorizedPrincipalsFile in sshd_config); null: it is.
    /// </summary>
    public string? FindUnfitness(string user, DateTimeOffset now)
    {
        if (!IsValidAt(now)) return (ulong)Math.Max(0, now.ToUnixTimeSeconds()) < ValidAfter ? "it is not valid yet" : "it has expired";
        return Principals.Count == 0 || Principals.Contains(user) ? null
            : $"it is for {WireText.Clean(string.Join(", ", Principals.Take(MostShown)))}";
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
}
