using System.Buffers;

namespace Transfer.Tests.Sftp.Protocol;

/// <summary>
/// Blocks for pipes, all kept: the shared pool drops arrays beyond what it has room for, and a test that counts bytes would count them.
/// </summary>
internal sealed class KeptMemory : MemoryPool<byte>
{
    private const int Size = 64 * 1024;

    private readonly Stack<Block> _free = new();

    public override int MaxBufferSize => Size;

    public override IMemoryOwner<byte> Rent(int minBufferSize = -1)
    {
        lock (_free)
        {
            return _free.TryPop(out var block) ? block : new Block(this);
        }
    }

    protected override void Dispose(bool disposing)
    {
        // The blocks are the collector's.
    }

    private sealed class Block(KeptMemory pool) : IMemoryOwner<byte>
    {
        public Memory<byte> Memory { get; } = new byte[Size];

        public void Dispose()
        {
            lock (pool._free) pool._free.Push(this);
        }
    }
}
