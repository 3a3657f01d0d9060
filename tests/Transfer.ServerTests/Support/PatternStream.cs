namespace Transfer.ServerTests.Support;

/// <summary>A long file that exists nowhere: every byte follows from its offset. Reading produces it, writing checks it.</summary>
internal sealed class PatternStream(long length) : Stream
{
    private const int Block = 1 << 20;
    private const int Slide = 1 << 16;

    // Each block starts elsewhere in the noise, so a block at a wrong place does not match.
    private static readonly byte[] Noise = Bytes.Random(Block + Slide, seed: 77);

    public override bool CanRead => true;

    public override bool CanSeek => true;

    public override bool CanWrite => true;

    public override long Length => length;

    public override long Position { get; set; }

    public override int Read(byte[] buffer, int offset, int count) => Read(buffer.AsSpan(offset, count));

    public override int Read(Span<byte> buffer)
    {
        var count = (int)Math.Min(buffer.Length, length - Position);
        var piece = Next(count);
        piece.CopyTo(buffer);
        Position += piece.Length;
        return piece.Length;
    }

    public override ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default) => new(Read(buffer.Span));

    public override Task<int> ReadAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken) =>
        Task.FromResult(Read(buffer, offset, count));

    public override void Write(byte[] buffer, int offset, int count) => Write(buffer.AsSpan(offset, count));

    public override void Write(ReadOnlySpan<byte> buffer)
    {
        while (!buffer.IsEmpty)
        {
            var expected = Next(buffer.Length);
            if (Position + expected.Length > length) throw new InvalidDataException($"More than {length} bytes.");
            if (!buffer[..expected.Length].SequenceEqual(expected))
                throw new InvalidDataException($"Wrong content at or behind {Position}.");
            Position += expected.Length;
            buffer = buffer[expected.Length..];
        }
    }

    public override ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default)
    {
        Write(buffer.Span);
        return ValueTask.CompletedTask;
    }

    public override Task WriteAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken)
    {
        Write(buffer, offset, count);
        return Task.CompletedTask;
    }

    public override void Flush()
    {
    }

    public override long Seek(long offset, SeekOrigin origin) => Position = origin switch
    {
        SeekOrigin.Begin => offset,
        SeekOrigin.Current => Position + offset,
        _ => length + offset,
    };

    public override void SetLength(long value) => throw new NotSupportedException();

    /// <summary>The bytes from the position to the end of its block, or as many as asked for.</summary>
    private ReadOnlySpan<byte> Next(int count)
    {
        var within = (int)(Position % Block);
        var start = (int)(Position / Block * 4099 % Slide);
        return Noise.AsSpan(start + within, Math.Min(count, Block - within));
    }
}
