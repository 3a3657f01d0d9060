namespace Transfer.Tests.Sftp.Ssh;

/// <summary>Bytes that come so many at a time.</summary>
internal sealed class ChunkStream(byte[] bytes, int step) : MemoryStream(bytes)
{
    /// <summary>How many zeros come behind the bytes.</summary>
    public int ZerosBehind { get; set; }

    public override async ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
    {
        var count = await base.ReadAsync(buffer[..Math.Min(step, buffer.Length)], cancellationToken);
        if (count > 0) return count;
        count = Math.Min(ZerosBehind, buffer.Length);
        buffer.Span[..count].Clear();
        ZerosBehind -= count;
        return count;
    }
}
