namespace Transfer.Sftp.Keys;

/// <summary>A private key in memory that speaks for itself or for a certificate.</summary>
internal sealed class KeySigner(SshPrivateKey key, SshPublicKey shown, string description) : ISshSigner
{
    public SshPublicKey PublicKey => shown;

    public string Description => description;

    public ValueTask<byte[]> SignAsync(string algorithm, ReadOnlyMemory<byte> data, CancellationToken ct)
    {
        ct.ThrowIfCancellationRequested();
        return ValueTask.FromResult(key.Sign(algorithm, data.Span));
    }
}
