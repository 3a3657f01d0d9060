namespace Transfer.Engine;

/// <summary>Some of a <see cref="BufferRoom"/>, given back once.</summary>
internal sealed class BufferLease : IDisposable
{
    private BufferRoom? _room;

    /// <param name="bytes">How much there may be.</param>
    /// <param name="room">Where it was taken; null: nowhere, somebody else answers for it.</param>
    public BufferLease(int bytes, BufferRoom? room = null)
    {
        Bytes = bytes;
        _room = room;
    }

    public int Bytes { get; }

    public void Dispose() => Interlocked.Exchange(ref _room, null)?.Return(Bytes);
}
