using System.Security.Cryptography;
using Transfer.Sftp.Ssh.Wire;

namespace Transfer.Sftp.Keys;

/// <summary>
/// <c>sk-ssh-ed25519@openssh.com</c> and <c>sk-ecdsa-sha2-nistp256@openssh.com</c>, keys in a security token (PROTOCOL.u2f in OpenSSH's
/// source): those of authorities, whose signatures only have to be checked.
/// </summary>
internal sealed class SecurityKeyPublicKey : SshPublicKey
{
    /// <summary>The types, which are the names of the signature algorithms, too.</summary>
    public static readonly IReadOnlyList<string> Types = [Name(KeyAlgorithms.Ed25519), Name(KeyAlgorithms.EcdsaPrefix + "nistp256")];

    private readonly SshPublicKey _key;
    private readonly byte[] _application;

    /// <exception cref="TransferException"><see cref="TransferError.Protocol"/>: malformed.</exception>
    public SecurityKeyPublicKey(ReadOnlyMemory<byte> blob)
    {
        var reader = new SshReader(blob.Span);
        Type = reader.ReadText();
        _key = SshPublicKeys.ReadFields(Type["sk-".Length..^"@openssh.com".Length], ref reader);
        _application = reader.ReadString().ToArray();
        if (!reader.Rest.IsEmpty) throw new TransferException(TransferError.Protocol, $"A public key of the type {Type} is malformed.");
        Blob = blob;
        SignatureAlgorithms = [Type];
    }

    public override string Type { get; }

    public override ReadOnlyMemory<byte> Blob { get; }

    public override int Bits => _key.Bits;

    public override IReadOnlyList<string> SignatureAlgorithms { get; }

    /// <summary>True for a type of such keys.</summary>
    public static bool IsOne(string type) => Types.Contains(type);

    /// <summary>Checks a signature: the token signs the hashes of application and data, with flags and a counter between them.</summary>
    public override bool Verify(string algorithm, ReadOnlySpan<byte> data, ReadOnlySpan<byte> signature)
    {
        var reader = new SshReader(signature);
        if (algorithm != Type || reader.ReadText() != Type) return false;
        var inner = reader.ReadString();
        var flagsAndCounter = reader.Take(1 + 4);
        return reader.Rest.IsEmpty && _key.Verify(_key.Type,
            [.. SHA256.HashData(_application), .. flagsAndCounter, .. SHA256.HashData(data)], SignatureBlob.Write(_key.Type, inner));
    }

    private static string Name(string type) => $"sk-{type}@openssh.com";
}
