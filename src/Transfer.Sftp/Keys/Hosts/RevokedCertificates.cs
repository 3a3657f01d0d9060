using System.Numerics;
using Transfer.Sftp.Ssh.Wire;

namespace Transfer.Sftp.Keys.Hosts;

/// <summary>
/// The certificates of one authority that a key revocation list revokes, by serial number or key id (PROTOCOL.krl section 2).
/// </summary>
internal sealed class RevokedCertificates
{
    private const byte SerialList = 0x20;
    private const byte SerialRange = 0x21;
    private const byte SerialBitmap = 0x22;
    private const byte KeyIds = 0x23;
    private const byte Extension = 0x39;

    private readonly byte[] _authority;
    private readonly List<(ulong First, ulong Last)> _serials = [];
    private readonly List<(ulong Offset, BigInteger Bits)> _bitmaps = [];
    private readonly HashSet<string> _keyIds = new(StringComparer.Ordinal);

    private RevokedCertificates(byte[] authority) => _authority = authority;

    /// <exception cref="TransferException">
    /// <see cref="TransferError.Protocol"/>: malformed; <see cref="TransferError.Unsupported"/>: an unknown part.
    /// </exception>
    public static RevokedCertificates Parse(ReadOnlySpan<byte> section)
    {
        var reader = new SshReader(section);
        var revoked = new RevokedCertificates(reader.ReadString().ToArray());
        reader.ReadString(); // reserved
        while (!reader.Rest.IsEmpty) revoked.Add(reader.ReadByte(), reader.ReadString());
        return revoked;
    }

    /// <summary>
    /// Returns the reason why a certificate is revoked, or null. An empty authority stands for any. Serial number 0 belongs to
    /// certificates without one, and is not looked up.
    /// </summary>
    public string? FindReason(SshCertificate certificate)
    {
        if (_authority.Length > 0 && !certificate.Authority.Span.SequenceEqual(_authority)) return null;
        if (_keyIds.Contains(certificate.KeyId)) return "its certificate's key id is listed";
        var serial = certificate.Serial;
        return serial != 0
            && (_serials.Exists(range => serial >= range.First && serial <= range.Last) || _bitmaps.Exists(bitmap => Holds(bitmap, serial)))
            ? "its certificate's serial number is listed"
            : null;
    }

    private static bool Holds((ulong Offset, BigInteger Bits) bitmap, ulong serial)
    {
        if (serial < bitmap.Offset || serial - bitmap.Offset > int.MaxValue) return false;
        return !(bitmap.Bits >> (int)(serial - bitmap.Offset)).IsEven;
    }

    private void Add(byte type, ReadOnlySpan<byte> section)
    {
        var reader = new SshReader(section);
        switch (type)
        {
            case SerialList:
                for (; !reader.Rest.IsEmpty;) Add(reader.ReadUInt64());
                break;
            case SerialRange:
                _serials.Add((reader.ReadUInt64(), reader.ReadUInt64()));
                break;
            case SerialBitmap:
                _bitmaps.Add((reader.ReadUInt64(), new BigInteger(reader.ReadString(), isUnsigned: true, isBigEndian: true)));
                break;
            case KeyIds:
                for (; !reader.Rest.IsEmpty;) _keyIds.Add(reader.ReadText());
                break;
            case Extension when !IsCritical(ref reader):
                break;
            default:
                throw new TransferException(TransferError.Unsupported,
                    $"A key revocation list has certificates by a section of type {type}, which is not known.");
        }
    }

    private void Add(ulong serial) => _serials.Add((serial, serial));

    private static bool IsCritical(ref SshReader reader)
    {
        reader.ReadString(); // name
        return reader.ReadBoolean();
    }
}
