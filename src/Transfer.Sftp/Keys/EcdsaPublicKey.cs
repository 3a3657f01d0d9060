using System.Buffers;
using System.Security.Cryptography;
using Transfer.Sftp.Crypto;
using Transfer.Sftp.Ssh.Wire;

namespace Transfer.Sftp.Keys;

/// <summary><c>ecdsa-sha2-*</c> over the NIST curves (RFC 5656 section 3).</summary>
internal sealed class EcdsaPublicKey : SshPublicKey
{
    private readonly NistCurve _curve;
    private readonly ECPoint _point;

    /// <exception cref="TransferException"><see cref="TransferError.Protocol"/>: the point is not on the curve.</exception>
    public EcdsaPublicKey(NistCurve curve, ReadOnlySpan<byte> point)
    {
        _curve = curve;
        _point = curve.DecodePoint(point);
        Type = KeyAlgorithms.EcdsaPrefix + curve.Name;
        SignatureAlgorithms = [Type];
        var writer = new ArrayBufferWriter<byte>();
        writer.WriteString(Type);
        writer.WriteString(curve.Name);
        writer.WriteString(point);
        Blob = writer.WrittenMemory;
    }

    public override string Type { get; }

    public override ReadOnlyMemory<byte> Blob { get; }

    public override int Bits => _curve.Bits;

    public override IReadOnlyList<string> SignatureAlgorithms { get; }

    public override bool Verify(string algorithm, ReadOnlySpan<byte> data, ReadOnlySpan<byte> signature)
    {
        if (algorithm != Type) return false;
        var inner = SignatureBlob.Read(signature, algorithm);
        if (inner.IsEmpty) return false;

        // RFC 5656 section 3.1.2: two mpints; the platform takes them side by side.
        var reader = new SshReader(inner);
        var r = reader.ReadUnsignedInteger();
        var s = reader.ReadUnsignedInteger();
        if (!reader.Rest.IsEmpty || r.Length > _curve.Size || s.Length > _curve.Size) return false;
        Span<byte> both = stackalloc byte[2 * _curve.Size];
        both.Clear();
        r.CopyTo(both[(_curve.Size - r.Length)..]);
        s.CopyTo(both[(both.Length - s.Length)..]);
        using var key = ECDsa.Create(new ECParameters { Curve = _curve.Curve, Q = _point });
        return key.VerifyData(data, both, _curve.Hash);
    }
}
