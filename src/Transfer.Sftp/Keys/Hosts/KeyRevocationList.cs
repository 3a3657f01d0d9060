using System.Security.Cryptography;
using Transfer.Sftp.Ssh.Wire;

namespace Transfer.Sftp.Keys.Hosts;

/// <summary>
/// A key revocation list of ssh-keygen -k (PROTOCOL.krl in OpenSSH's source). Unknown sections and signed lists are refused: their
/// revocations would have no effect.
/// </summary>
internal sealed class KeyRevocationList
{
    private const byte Certificates = 1;
    private const byte ExplicitKeys = 2;
    private const byte Sha1Fingerprints = 3;
    private const byte Sha256Fingerprints = 5;
    private const byte Extension = 255;

    private readonly List<RevokedCertificates> _certificates = [];
    private readonly HashSet<string> _keys = new(StringComparer.Ordinal);
    private readonly HashSet<string> _sha1 = new(StringComparer.Ordinal);
    private readonly HashSet<string> _sha256 = new(StringComparer.Ordinal);

    private static ReadOnlySpan<byte> Magic => "SSHKRL\n\0"u8;

    /// <summary>True when the content begins as such a list does.</summary>
    public static bool HasMagic(ReadOnlySpan<byte> content) => content.StartsWith(Magic);

    /// <exception cref="TransferException">
    /// <see cref="TransferError.Protocol"/>: malformed; <see cref="TransferError.Unsupported"/>: an unknown part.
    /// </exception>
    public static KeyRevocationList Parse(ReadOnlySpan<byte> content)
    {
        if (!HasMagic(content)) throw new TransferException(TransferError.Protocol, "That is no key revocation list.");
        var list = new KeyRevocationList();
        var reader = new SshReader(content[Magic.Length..]);
        var version = reader.ReadUInt32();
        if (version != 1)
            throw new TransferException(TransferError.Unsupported, $"A key revocation list has format {version}; 1 is known.");
        reader.ReadUInt64(); // number
        reader.ReadUInt64(); // time
        reader.ReadUInt64(); // flags
        reader.ReadString(); // reserved
        reader.ReadString(); // comment
        while (!reader.Rest.IsEmpty) list.Add(reader.ReadByte(), reader.ReadString());
        return list;
    }

    /// <summary>Returns the reason why a key is revoked, or null.</summary>
    public string? FindReason(SshPublicKey key) => key is SshCertificate certificate
        ? FindKey(certificate.Key.Blob.Span) ?? FindKey(certificate.Authority.Span)
            ?? _certificates.Select(each => each.FindReason(certificate)).FirstOrDefault(reason => reason is not null)
        : FindKey(key.Blob.Span);

    private string? FindKey(ReadOnlySpan<byte> blob)
    {
        if (_keys.Contains(Name(blob))) return "its key is listed";
        // The format has SHA-1, too; a match only refuses, and grants no trust.
#pragma warning disable CA5350
        return _sha256.Contains(Name(SHA256.HashData(blob))) || (_sha1.Count > 0 && _sha1.Contains(Name(SHA1.HashData(blob))))
            ? "its key's fingerprint is listed" : null;
#pragma warning restore CA5350
    }

    private void Add(byte type, ReadOnlySpan<byte> section)
    {
        switch (type)
        {
            case Certificates:
                _certificates.Add(RevokedCertificates.Parse(section));
                break;
            case ExplicitKeys:
                AddAll(_keys, section);
                break;
            case Sha1Fingerprints:
                AddAll(_sha1, section);
                break;
            case Sha256Fingerprints:
                AddAll(_sha256, section);
                break;
            case Extension when !IsCritical(section):
                break;
            default:
                throw new TransferException(TransferError.Unsupported,
                    $"A key revocation list has a section of type {type}, which is not known.");
        }
    }

    private static bool IsCritical(ReadOnlySpan<byte> extension)
    {
        var reader = new SshReader(extension);
        reader.ReadString(); // name
        return reader.ReadBoolean();
    }

    private static void AddAll(HashSet<string> names, ReadOnlySpan<byte> section)
    {
        for (var reader = new SshReader(section); !reader.Rest.IsEmpty;) names.Add(Name(reader.ReadString()));
    }

    private static string Name(ReadOnlySpan<byte> bytes) => Convert.ToBase64String(bytes);
}
