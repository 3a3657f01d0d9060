using Transfer.Sessions;
using Transfer.Testing;

namespace Transfer.TestSupport.Ftp;

/// <summary>A server's store with a file that changes once while it is read: before the first read at or behind an offset.</summary>
/// <param name="inner">The files.</param>
/// <param name="path">The file.</param>
/// <param name="at">The offset.</param>
/// <param name="change">Changes the file.</param>
internal sealed class ChangingStore(MemoryStore inner, string path, long at, Func<MemoryStore, ValueTask> change) : StoreFront(inner)
{
    private readonly MemoryStore _inner = inner;
    private int _opened;
    private int _changed;

    /// <summary>Called before each opening of the file for reading, with the number of openings.</summary>
    public Action<int> Opening { get; init; } = _ => { };

    public override async ValueTask<Stream> OpenReadAsync(string asked, long offset, CancellationToken ct = default)
    {
        if (asked != path) return await base.OpenReadAsync(asked, offset, ct);
        Opening(Interlocked.Increment(ref _opened));
        return new Content(this, await base.OpenReadAsync(asked, offset, ct));
    }

    /// <summary>Writes a file in place, as a program that opens it for writing does.</summary>
    public static async ValueTask RewriteAsync(MemoryStore store, string path, byte[] content)
    {
        await using var file = await store.OpenWriteAsync(path, 0);
        await file.WriteAsync(content);
    }

    /// <summary>Writes behind the end of a file.</summary>
    public static async ValueTask AppendAsync(MemoryStore store, string path, byte[] content)
    {
        await using var file = await store.OpenWriteAsync(path, -1, truncate: false);
        await file.WriteAsync(content);
    }

    private sealed class Content(ChangingStore store, Stream inner) : SequentialStream
    {
        public override bool CanRead => true;

        public override bool CanSeek => true;

        public override long Length => inner.Length;

        public override long Position
        {
            get => inner.Position;
            set => inner.Position = value;
        }

        public override long Seek(long offset, SeekOrigin origin) => inner.Seek(offset, origin);

        public override async ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
        {
            if (inner.Position >= store.At && Interlocked.Exchange(ref store._changed, 1) == 0) await store.ChangeAsync();
            return await inner.ReadAsync(buffer, cancellationToken);
        }

        public override void Flush() => inner.Flush();

        protected override void Dispose(bool disposing)
        {
            if (disposing) inner.Dispose();
            base.Dispose(disposing);
        }
    }

    private long At => at;

    private ValueTask ChangeAsync() => change(_inner);
}
