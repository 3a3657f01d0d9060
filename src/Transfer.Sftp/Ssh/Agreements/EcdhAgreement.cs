using System.Security.Cryptography;
using Transfer.Sftp.Crypto;

namespace Transfer.Sftp.Ssh.Agreements;

/// <summary>Diffie-Hellman over a NIST curve (RFC 5656 section 4).</summary>
internal sealed class EcdhAgreement : KeyAgreement
{
    private readonly NistCurve _curve;
    private readonly ECDiffieHellman _key;

    public EcdhAgreement(NistCurve curve)
    {
        _curve = curve;
        _key = ECDiffieHellman.Create(curve.Curve);
        PublicValue = NistCurve.EncodePoint(_key.ExportParameters(includePrivateParameters: false).Q);
    }

    public override HashAlgorithmName Hash => _curve.Hash;

    public override ReadOnlyMemory<byte> PublicValue { get; }

    public override void Dispose() => _key.Dispose();

    protected override byte[] AgreeOn(ReadOnlySpan<byte> peerValue)
    {
        var point = _curve.DecodePoint(peerValue);
        using var peer = ECDiffieHellman.Create(new ECParameters { Curve = _curve.Curve, Q = point });
        using var peerKey = peer.PublicKey;
        return _key.DeriveRawSecretAgreement(peerKey);
    }
}
