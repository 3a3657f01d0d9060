using Transfer.Sftp.Keys;

namespace Transfer.Sftp.Routes;

/// <summary>A signer with an encrypted key; only the public half is read so far.</summary>
internal sealed class IdentityFileSigner(IdentityFile file, SshPublicKey shown, string description) : ISshSigner
{
    public SshPublicKey PublicKey => shown;

    public string Description => description;

    public bool NeedsUser => true;

    public async ValueTask<byte[]> SignAsync(string algorithm, ReadOnlyMemory<byte> data, CancellationToken ct)
    {
        var identity = await file.OpenAsync(ct).ConfigureAwait(false);
        var signer = identity.Signers.FirstOrDefault(each => each.PublicKey.Blob.Span.SequenceEqual(shown.Blob.Span))
            ?? throw new TransferException(TransferError.Auth, $"{description} holds another key than the one beside it.");
        return await signer.SignAsync(algorithm, data, ct).ConfigureAwait(false);
    }
}
