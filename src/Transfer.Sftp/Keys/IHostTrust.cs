namespace Transfer.Sftp.Keys;

/// <summary>Decides whether a host key is the host's.</summary>
internal interface IHostTrust
{
    /// <summary>Prepares the trust before the other calls: reads what may have to be waited for.</summary>
    /// <exception cref="TransferException"><see cref="TransferError.HostKey"/>: the known hosts cannot be read.</exception>
    ValueTask PrepareAsync(CancellationToken ct) => default;

    /// <summary>The key types known for the host, to be preferred; empty for a new host.</summary>
    IReadOnlyList<string> KnownTypes(string host, int port);

    /// <summary>Returns when the key, or the authority behind a certificate, is trusted.</summary>
    /// <exception cref="TransferException">
    /// <see cref="TransferError.HostKey"/>: unknown, changed (both fingerprints in the message) or revoked.
    /// </exception>
    ValueTask VerifyAsync(string host, int port, SshPublicKey key, CancellationToken ct);
}
