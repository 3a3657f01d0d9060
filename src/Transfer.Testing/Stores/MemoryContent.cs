namespace Transfer.Testing.Stores;

/// <summary>A file's bytes. Thread-safe: several segments of one file may be written at once.</summary>
internal abstract class MemoryContent
{
    public abstract long Length { get; }

    /// <summary>Reads at an offset; 0 at and beyond the end.</summary>
    public abstract int Read(long offset, Span<byte> destination);

    /// <summary>Writes at an offset; a gap before the offset reads as zeros.</summary>
    public abstract void Write(long offset, ReadOnlySpan<byte> source);

    /// <summary>Cuts off the bytes beyond a length.</summary>
    public abstract void Truncate(long length);

    /// <summary>Cuts off the bytes beyond a length, or adds zeros up to that length.</summary>
    public void Resize(long length)
    {
        Truncate(length);
        if (Length < length) Write(length - 1, [0]);
    }
}
