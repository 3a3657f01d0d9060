namespace Transfer.Sftp.Ssh.Channels;

/// <summary>The bytes that the server lets the client send on a channel (RFC 4254 section 5.2).</summary>
internal sealed class SendWindow
{
    private long _open;
    private long _largest;
    private uint _ahead;

    public long Open => Volatile.Read(ref _open);

    /// <summary>The most bytes open at once so far.</summary>
    public long Largest => Volatile.Read(ref _largest);

    /// <summary>Opens the window ahead of the server, whose own opening then counts for the less.</summary>
    public void OpenAhead(uint count)
    {
        _ahead = count;
        Interlocked.Add(ref _open, count);
    }

    /// <summary>Takes back the part opened ahead that the server has not confirmed by now.</summary>
    public void Settle()
    {
        Interlocked.Add(ref _open, -_ahead);
        _ahead = 0;
    }

    /// <summary>Adds bytes that the server allows.</summary>
    /// <exception cref="TransferException"><see cref="TransferError.Protocol"/>: beyond 2^32 - 1.</exception>
    public void Add(uint count)
    {
        var known = Math.Min(_ahead, count);
        _ahead -= known;
        var open = Interlocked.Add(ref _open, count - known);
        if (open > _largest) Volatile.Write(ref _largest, open);
        if (open > uint.MaxValue)
            throw new TransferException(TransferError.Protocol, "The peer opened a channel's window beyond 2^32 - 1.");
    }

    public void Use(int count) => Interlocked.Add(ref _open, -count);
}
