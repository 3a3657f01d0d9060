namespace Transfer.Batch.Archive.Format;

/// <summary>Accepts an archive's payload, a tar stream. Callers write into the room directly, so that a file is read to the place where it
/// is sealed.</summary>
internal abstract class PayloadWriter
{
    /// <summary>The room for the next bytes; empty: <see cref="FlushAsync"/> first.</summary>
    public abstract Memory<byte> Room { get; }

    /// <summary>Adds the first bytes of <see cref="Room"/> to the payload.</summary>
    /// <param name="count">The number of bytes.</param>
    /// <param name="shrinks">Whether they are worth compressing.</param>
    public abstract void Advance(int count, bool shrinks);

    /// <summary>Sends the bytes written so far and makes room.</summary>
    public abstract ValueTask FlushAsync(CancellationToken ct);

    /// <summary>Ends the payload: sends the rest of it and the end of the archive.</summary>
    public abstract ValueTask CompleteAsync(CancellationToken ct);

    /// <summary>Copies bytes that are worth compressing: headers and padding.</summary>
    public async ValueTask WriteAsync(ReadOnlyMemory<byte> bytes, CancellationToken ct)
    {
        while (true)
        {
            var count = Math.Min(bytes.Length, Room.Length);
            bytes[..count].CopyTo(Room);
            if (count > 0) Advance(count, shrinks: true);
            bytes = bytes[count..];
            if (bytes.IsEmpty) return;
            await FlushAsync(ct).ConfigureAwait(false);
        }
    }
}
