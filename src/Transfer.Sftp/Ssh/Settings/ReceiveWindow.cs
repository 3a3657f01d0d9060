namespace Transfer.Sftp.Ssh.Settings;

/// <summary>
/// The bytes that the server may still send on a channel (RFC 4254 section 5.2). Bytes are returned when half a window of them was read.
/// </summary>
internal sealed class ReceiveWindow(int size)
{
    private long _open = size;
    private long _read;

    /// <summary>Counts bytes received.</summary>
    /// <exception cref="TransferException"><see cref="TransferError.Protocol"/>: more than was allowed.</exception>
    public void Received(int count)
    {
        if (Interlocked.Add(ref _open, -count) < 0)
            throw new TransferException(TransferError.Protocol, "The peer sent more than the channel's window allows.");
    }

    /// <summary>Counts bytes read. Returns the bytes to give back to the server now, mostly none.</summary>
    public uint Read(long count)
    {
        if (count == 0 || Interlocked.Add(ref _read, count) < size / 2) return 0;
        var back = Interlocked.Exchange(ref _read, 0);
        Interlocked.Add(ref _open, back);
        return (uint)back;
    }
}
