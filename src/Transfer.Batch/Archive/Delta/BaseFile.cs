using Microsoft.Win32.SafeHandles;

namespace Transfer.Batch.Archive.Delta;

/// <summary>What a receiver has of a file that it is asked for, and the hashes of its blocks, computed as they are read.</summary>
internal sealed class BaseFile : IDisposable
{
    private const int LeastBuffer = 128 << 10;

    // Of a large file the entries of so many bytes are told at once, though there is room for more: whoever waits for them hears of it in time.
    private const int MostRead = 64 << 20;

    private readonly SafeFileHandle? _handle;
    private int _next;

    private BaseFile(bool isLeft, SafeFileHandle? handle, BlockShape shape)
    {
        IsLeft = isLeft;
        Shape = shape;
        _handle = handle;
    }

    /// <summary>Nothing that helps.</summary>
    public static BaseFile None { get; } = new(isLeft: false, null, default);

    /// <summary>What there is stays as it is.</summary>
    public static BaseFile Left { get; } = new(isLeft: true, null, default);

    public bool IsLeft { get; }

    /// <summary>There is something to be made another file of.</summary>
    public bool HasBlocks => _handle is not null;

    public BlockShape Shape { get; }

    /// <param name="handle">The file; it belongs to this from here on.</param>
    /// <param name="length">Its length.</param>
    public static BaseFile Of(SafeFileHandle handle, long length) => new(isLeft: false, handle, BlockShape.For(length));

    /// <summary>Bytes that are needed to read blocks to.</summary>
    public static int BufferFor(BlockShape shape) => Math.Max(LeastBuffer, shape.Block);

    /// <summary>Computes the entries of the next blocks.</summary>
    /// <param name="into">Room for one at least.</param>
    /// <param name="buffer">Where the blocks are read to, <see cref="BufferFor"/> bytes at least.</param>
    /// <param name="ct">Gives it up.</param>
    /// <returns>Bytes of it that are used now; 0: there are no more blocks.</returns>
    /// <exception cref="IOException">It can't be read, or not to its end any more.</exception>
    public int Read(Span<byte> into, byte[] buffer, CancellationToken ct)
    {
        var used = 0;
        var most = _next + Math.Max(1, MostRead / Shape.Block);
        while (_next < most && _next < Shape.Blocks && into.Length - used >= Shape.EntryLength)
        {
            ct.ThrowIfCancellationRequested();
            var count = Math.Min(Math.Min(buffer.Length / Shape.Block, Math.Min(most, Shape.Blocks) - _next), (into.Length - used) / Shape.EntryLength);
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
