namespace Transfer.Sftp.Ssh.Channels;

/// <summary>What the server lets us send on a channel (RFC 4254 section 5.2).</summary>
internal sealed class SendWindow
{
    private long _open;

    public long Open => Volatile.Read(ref _open);

    /// <summary>The server allows more.</summary>
    /// <exception cref="TransferException"><see cref="TransferError.Protocol"/>: beyond 2^32 - 1.</exception>
    public void Add(uint count)
    {
        if (Interlocked.Add(ref _open, count) > uint.MaxValue)
            throw new TransferException(TransferError.Protocol, "The server opened a channel's window beyond 2^32 - 1.");
    }

    public void Use(int count) => Interlocked.Add(ref _open, -count);
}
