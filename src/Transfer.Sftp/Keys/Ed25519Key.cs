using Transfer.Sftp.Crypto;

namespace Transfer.Sftp.Keys;

/// <summary>An <c>ssh-ed25519</c> private key (RFC 8709).</summary>
internal sealed class Ed25519Key : SshPrivateKey
{
    private readonly Ed25519PrivateKey _key;

    public Ed25519Key(ReadOnlySpan<byte> seed)
    {
        _key = new Ed25519PrivateKey(seed);
        PublicKey = new Ed25519PublicKey(_key.PublicKey);
    }

    public override SshPublicKey PublicKey { get; }

    public override void Dispose() => _key.Dispose();

    protected override byte[] SignCore(string algorithm, ReadOnlySpan<byte> data) => _key.Sign(data);
}
