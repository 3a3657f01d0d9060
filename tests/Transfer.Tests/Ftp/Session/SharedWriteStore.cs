using System.Collections.Concurrent;
using Transfer.Testing;

namespace Transfer.Tests.Ftp.Session;

/// <summary>Files to which several uploads at once do what they do to those of some server.</summary>
internal sealed class SharedWriteStore(MemoryStore inner, SharedWrites kind) : ITestStore
{
    private static readonly TimeSpan Turn = TimeSpan.FromMilliseconds(200);

    private readonly ConcurrentDictionary<string, SemaphoreSlim> _locks = new();

    public long? FreeBytes => inner.FreeBytes;

    public ValueTask<TestEntry?> GetAsync(string path, CancellationToken ct = default) => inner.GetAsync(path, ct);

    public IAsyncEnumerable<TestEntry> ListAsync(string path, CancellationToken ct = default) => inner.ListAsync(path, ct);

    public ValueTask<Stream> OpenReadAsync(string path, long offset, CancellationToken ct = default) =>
        inner.OpenReadAsync(path, offset, ct);

    public async ValueTask<Stream> OpenWriteAsync(string path, long offset, bool truncate = true, bool createNew = false,
        CancellationToken ct = default)
    {
        var length = (await inner.GetAsync(path, ct))?.Length ?? 0;
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
                return new Upload(await inner.OpenWriteAsync(path, offset, truncate, createNew, ct), _ => writing.Release());
            case SharedWrites.CutOff:
                return await inner.OpenWriteAsync(path, Math.Min(offset, length), truncate: true, createNew, ct);
            case SharedWrites.WithoutGaps when offset > length:
                throw new IOException("Not behind the end.");
            case SharedWrites.DeletedWhenBroken:
                return new Upload(await inner.OpenWriteAsync(path, offset, truncate, createNew, ct), whole =>
                {
                    if (!whole && inner.Exists(path))
                        inner.DeleteFileAsync(path, CancellationToken.None).AsTask().Wait(CancellationToken.None);
                });
            default:
                return await inner.OpenWriteAsync(path, offset, truncate, createNew, ct);
        }
    }

    public ValueTask CreateDirectoryAsync(string path, CancellationToken ct = default) => inner.CreateDirectoryAsync(path, ct);

    public ValueTask DeleteFileAsync(string path, CancellationToken ct = default) => inner.DeleteFileAsync(path, ct);

    public ValueTask DeleteDirectoryAsync(string path, CancellationToken ct = default) => inner.DeleteDirectoryAsync(path, ct);

    public ValueTask MoveAsync(string from, string to, bool replace = true, CancellationToken ct = default) =>
        inner.MoveAsync(from, to, replace, ct);

    public ValueTask SetModifiedAsync(string path, DateTimeOffset modified, CancellationToken ct = default) =>
        inner.SetModifiedAsync(path, modified, ct);

    public ValueTask SetModeAsync(string path, UnixFileMode mode, CancellationToken ct = default) => inner.SetModeAsync(path, mode, ct);

    /// <summary>An upload's file, which the server flushes only when all has come.</summary>
    private sealed class Upload(Stream inner, Action<bool> closed) : Stream
    {
        private bool _whole;
        private bool _closed;

        public override bool CanRead => false;

        public override bool CanSeek => false;

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

        public override int Read(byte[] buffer, int offset, int count) => throw new NotSupportedException();

        public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

        public override void SetLength(long value) => throw new NotSupportedException();

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
