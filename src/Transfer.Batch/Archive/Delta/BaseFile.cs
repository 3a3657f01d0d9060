using Microsoft.Win32.SafeHandles;

namespace Transfer.Batch.Archive.Delta;

/// <summary>A receiver's version of a requested file, and the hashes of the blocks, computed as they are read.</summary>
internal sealed class BaseFile : IDisposable
{
    private const int LeastBuffer = 128 << 10;

    // Entries of a large file are sent after so many bytes, though there is room for more, so that the sender's wait does not time out.
    private const int MostRead = 64 << 20;

    private readonly SafeFileHandle? _handle;
    private int _next;

    private BaseFile(bool isLeft, SafeFileHandle? handle, BlockShape shape)
    {
        IsSkipped = isLeft;
        Shape = shape;
        _handle = handle;
    }

    /// <summary>The answer without a useful version.</summary>
    public static BaseFile None { get; } = new(isLeft: false, null, default);

    /// <summary>The answer for a file that would be skipped.</summary>
    public static BaseFile Skipped { get; } = new(isLeft: true, null, default);

    public bool IsSkipped { get; }

    /// <summary>Whether there are blocks to build another file on.</summary>
    public bool HasBlocks => _handle is not null;

    public BlockShape Shape { get; }

    /// <param name="handle">The file, owned by the new object from here on.</param>
    /// <param name="length">The file's length.</param>
    public static BaseFile Of(SafeFileHandle handle, long length) => new(isLeft: false, handle, BlockShape.For(length));

    /// <summary>Returns the length of the buffer for reading blocks.</summary>
    public static int BufferFor(BlockShape shape) => Math.Max(LeastBuffer, shape.Block);

    /// <summary>Computes the entries of the next blocks.</summary>
    /// <param name="into">Room for one entry at least.</param>
    /// <param name="buffer">The buffer for the blocks, <see cref="BufferFor"/> bytes at least.</param>
    /// <param name="ct">Stops the computation.</param>
    /// <returns>The bytes written to <paramref name="into"/>; 0: there are no more blocks.</returns>
    /// <exception cref="IOException">The file can't be read, or has become shorter.</exception>
    public int Read(Span<byte> into, byte[] buffer, CancellationToken ct)
    {
        var used = 0;
        var most = _next + Math.Max(1, MostRead / Shape.Block);
        while (_next < most && _next < Shape.Blocks && into.Length - used >= Shape.EntryLength)
        {
            ct.ThrowIfCancellationRequested();
            var count = Math.Min(Math.Min(buffer.Length / Shape.Block, Math.Min(most, Shape.Blocks) - _next),
                (into.Length - used) / Shape.EntryLength);
            var blocks = buffer.AsSpan(0, (int)Shape.LengthOf(_next, count));
            Fill(blocks, (long)_next * Shape.Block);
            for (; !blocks.IsEmpty; blocks = blocks[Math.Min(Shape.Block, blocks.Length)..])
            {
                BaseSignature.WriteEntry(blocks[..Math.Min(Shape.Block, blocks.Length)], into.Slice(used, Shape.EntryLength));
                used += Shape.EntryLength;
            }
            _next += count;
        }
        return used;
    }

    public void Dispose() => _handle?.Dispose();

    private void Fill(Span<byte> blocks, long offset)
    {
        while (!blocks.IsEmpty)
        {
            var read = RandomAccess.Read(_handle!, blocks, offset);
            if (read == 0) throw new EndOfStreamException("The file became shorter.");
            blocks = blocks[read..];
            offset += read;
        }
    }
}
