using System.Buffers;
using System.Security.Cryptography;
using Transfer.Sftp.Crypto;
using Transfer.Sftp.Ssh.Wire;

namespace Transfer.Sftp.Keys;

/// <summary>An <c>ecdsa-sha2-*</c> private key (RFC 5656), kept and owned as the platform's object.</summary>
internal sealed class EcdsaKey : SshPrivateKey
{
    private readonly ECDsa _key;
    private readonly NistCurve _curve;

    // The platform does not promise that one object may sign on several threads.
    private readonly Lock _gate = new();

    /// <exception cref="TransferException"><see cref="TransferError.Unsupported"/>: another curve than the three of RFC 5656.</exception>
    public EcdsaKey(ECDsa key)
    {
        _key = key;
        var parameters = key.ExportParameters(includePrivateParameters: false);
        _curve = NistCurve.Find(parameters.Curve)
            ?? throw new TransferException(TransferError.Unsupported,
                "The key's elliptic curve is not one of nistp256, nistp384 and nistp521.");
        PublicKey = new EcdsaPublicKey(_curve, NistCurve.EncodePoint(parameters.Q));
    }

    public override SshPublicKey PublicKey { get; }

    public override void Dispose() => _key.Dispose();

    protected override byte[] SignCore(string algorithm, ReadOnlySpan<byte> data)
    {
        byte[] both;
        lock (_gate) both = _key.SignData(data, _curve.Hash);
        var writer = new ArrayBufferWriter<byte>(both.Length + 16);
        writer.WriteUnsignedInteger(both.AsSpan(0, _curve.Size));
        writer.WriteUnsignedInteger(both.AsSpan(_curve.Size));
        return writer.WrittenSpan.ToArray();
    }
}
