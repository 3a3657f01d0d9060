using Transfer.Testing;

namespace Transfer.Tests.Ftp.Session;

/// <summary>Counts the bytes that a server takes out of its store to send them.</summary>
internal sealed class CountingStore(MemoryStore inner) : ITestStore
{
    private long _read;

    public long Read => Interlocked.Read(ref _read);

    public long? FreeBytes => inner.FreeBytes;

    public ValueTask<TestEntry?> GetAsync(string path, CancellationToken cancellationToken = default) =>
        inner.GetAsync(path, cancellationToken);

    public IAsyncEnumerable<TestEntry> ListAsync(string path, CancellationToken cancellationToken = default) =>
        inner.ListAsync(path, cancellationToken);

    public async ValueTask<Stream> OpenReadAsync(string path, long offset, CancellationToken cancellationToken = default) =>
        new Counted(this, await inner.OpenReadAsync(path, offset, cancellationToken));

    public ValueTask<Stream> OpenWriteAsync(string path, long offset, bool truncate = true, bool createNew = false,
        CancellationToken cancellationToken = default) => inner.OpenWriteAsync(path, offset, truncate, createNew, cancellationToken);

    public ValueTask CreateDirectoryAsync(string path, CancellationToken cancellationToken = default) =>
        inner.CreateDirectoryAsync(path, cancellationToken);

    public ValueTask DeleteFileAsync(string path, CancellationToken cancellationToken = default) =>
        inner.DeleteFileAsync(path, cancellationToken);

    public ValueTask DeleteDirectoryAsync(string path, CancellationToken cancellationToken = default) =>
        inner.DeleteDirectoryAsync(path, cancellationToken);

    public ValueTask MoveAsync(string from, string to, bool replace = true, CancellationToken cancellationToken = default) =>
        inner.MoveAsync(from, to, replace, cancellationToken);

    public ValueTask SetModifiedAsync(string path, DateTimeOffset modified, CancellationToken cancellationToken = default) =>
        inner.SetModifiedAsync(path, modified, cancellationToken);

    public ValueTask SetModeAsync(string path, UnixFileMode mode, CancellationToken cancellationToken = default) =>
        inner.SetModeAsync(path, mode, cancellationToken);

    private sealed class Counted(CountingStore store, Stream content) : Stream
    {
        public override bool CanRead => true;

        public override bool CanSeek => false;

        public override bool CanWrite => false;

        public override long Length => throw new NotSupportedException();

        public override long Position { get => throw new NotSupportedException(); set => throw new NotSupportedException(); }

        public override async ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
        {
            var read = await content.ReadAsync(buffer, cancellationToken);
            Interlocked.Add(ref store._read, read);
            return read;
        }

        public override int Read(byte[] buffer, int offset, int count) => throw new NotSupportedException();

        public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

        public override void SetLength(long value) => throw new NotSupportedException();

        public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException();

        public override void Flush() => content.Flush();

        protected override void Dispose(bool disposing)
        {
            if (disposing) content.Dispose();
            base.Dispose(disposing);
        }
    }
}
