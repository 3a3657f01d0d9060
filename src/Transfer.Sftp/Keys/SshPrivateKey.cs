namespace Transfer.Sftp.Keys;

/// <summary>A private key in memory. Thread-safe; signs no more once disposed of.</summary>
internal abstract class SshPrivateKey : IDisposable
{
    public abstract SshPublicKey PublicKey { get; }

    /// <summary>Signs; returns the signature blob. The algorithm may be named in the certificate form.</summary>
    public byte[] Sign(string algorithm, ReadOnlySpan<byte> data)
    {
        algorithm = KeyAlgorithms.Plain(algorithm);
        if (!PublicKey.SignatureAlgorithms.Contains(algorithm))
        {
            throw new TransferException(TransferError.Unsupported,
                $"A key of the type {PublicKey.Type} makes no signatures of the algorithm {algorithm}.");
        }

        return SignatureBlob.Write(algorithm, SignCore(algorithm, data));
    }

    /// <summary>Refuses a file with halves that do not belong together, before a server does so with a vaguer error.</summary>
    /// <exception cref="TransferException"><see cref="TransferError.Protocol"/>.</exception>
    public void CheckPair()
    {
        var algorithm = PublicKey.SignatureAlgorithms[^1];
        if (!PublicKey.Verify(algorithm, "pair"u8, Sign(algorithm, "pair"u8)))
            throw new TransferException(TransferError.Protocol, "The private and the public half of the key do not belong together.");
    }

    public abstract void Dispose();

    protected abstract byte[] SignCore(string algorithm, ReadOnlySpan<byte> data);
}
