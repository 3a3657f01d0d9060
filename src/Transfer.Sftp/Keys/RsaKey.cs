using System.Security.Cryptography;

namespace Transfer.Sftp.Keys;

/// <summary>An RSA private key that signs with SHA-2 (RFC 8332), kept and owned as the platform's object.</summary>
internal sealed class RsaKey : SshPrivateKey
{
    private readonly RSA _key;

    // The platform does not promise that one object may sign on several threads.
    private readonly Lock _gate = new();

    /// <exception cref="TransferException"><see cref="TransferError.Unsupported"/>: too short or too long.</exception>
    public RsaKey(RSA key)
    {
        _key = key;
        var parameters = key.ExportParameters(includePrivateParameters: false);
        PublicKey = new RsaPublicKey(parameters.Exponent, parameters.Modulus);
    }

    public override SshPublicKey PublicKey { get; }

    public override void Dispose() => _key.Dispose();

    protected override byte[] SignCore(string algorithm, ReadOnlySpan<byte> data)
    {
        lock (_gate) return _key.SignData(data, RsaPublicKey.HashOf(algorithm)!.Value, RSASignaturePadding.Pkcs1);
    }
}
