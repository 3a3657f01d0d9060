using System.Collections.Concurrent;
using Transfer.Sessions;
using Transfer.Testing;

namespace Transfer.TestSupport.Ftp;

/// <summary>Files to which several uploads at once do what they do to those of some server.</summary>
internal sealed class SharedWriteStore(MemoryStore inner, SharedWrites kind) : StoreFront(inner)
{
    private static readonly TimeSpan Turn = TimeSpan.FromMilliseconds(200);

    private readonly MemoryStore _inner = inner;
    private readonly ConcurrentDictionary<string, SemaphoreSlim> _locks = new();

    public override async ValueTask<Stream> OpenWriteAsync(string path, long offset, bool truncate = true, bool createNew = false,
        CancellationToken ct = default)
    {
        var length = (await GetAsync(path, ct))?.Length ?? 0;
        switch (kind)
        {
            case SharedWrites.Wait:
                var writing = _locks.GetOrAdd(path, _ => new SemaphoreSlim(1));
                // A server that waits in open() notices neither that its client has gone nor how long it takes.
                if (!writing.Wait(TimeSpan.Zero, CancellationToken.None))
                {
                    await writing.WaitAsync(CancellationToken.None);
                    await Task.Delay(Turn, CancellationToken.None);
                }
                return new Upload(await base.OpenWriteAsync(path, offset, truncate, createNew, ct), _ => writing.Release());
            case SharedWrites.CutOff:
                return await base.OpenWriteAsync(path, Math.Min(offset, length), truncate: true, createNew, ct);
            case SharedWrites.WithoutGaps when offset > length:
                throw new IOException("Not behind the end.");
            case SharedWrites.DeletedWhenBroken:
                return new Upload(await base.OpenWriteAsync(path, offset, truncate, createNew, ct), whole =>
                {
                    if (!whole && _inner.Exists(path))
                        _inner.DeleteFileAsync(path, CancellationToken.None).AsTask().Wait(CancellationToken.None);
                });
            default:
                return await base.OpenWriteAsync(path, offset, truncate, createNew, ct);
        }
    }

    /// <summary>An upload's file, which the server flushes only when all has come.</summary>
    private sealed class Upload(Stream inner, Action<bool> closed) : SequentialStream
    {
        private bool _whole;
        private bool _closed;

        public override bool CanWrite => true;

        public override long Length => inner.Length;

        public override long Position
        {
            get => inner.Position;
            set => throw new NotSupportedException();
        }

        public override void Flush() => _whole = true;

        public override Task FlushAsync(CancellationToken cancellationToken)
        {
            Flush();
            return Task.CompletedTask;
        }

        public override void Write(byte[] buffer, int offset, int count) => inner.Write(buffer, offset, count);

        public override void Write(ReadOnlySpan<byte> buffer) => inner.Write(buffer);

        public override ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default) =>
            inner.WriteAsync(buffer, cancellationToken);

        protected override void Dispose(bool disposing)
        {
            if (disposing && !_closed)
            {
                _closed = true;
                inner.Dispose();
                closed(_whole);
            }
            base.Dispose(disposing);
        }
    }
}
