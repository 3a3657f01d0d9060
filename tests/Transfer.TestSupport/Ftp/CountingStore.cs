using Transfer.Sessions;
using Transfer.Testing;

namespace Transfer.TestSupport.Ftp;

/// <summary>Counts the bytes that a server takes out of its store to send them.</summary>
internal sealed class CountingStore(ITestStore inner) : StoreFront(inner)
{
    private long _read;

    public long Read => Interlocked.Read(ref _read);

    public override async ValueTask<Stream> OpenReadAsync(string path, long offset, CancellationToken ct = default) =>
        new Counted(this, await base.OpenReadAsync(path, offset, ct));

    private sealed class Counted(CountingStore store, Stream content) : SequentialStream
    {
        public override bool CanRead => true;

        public override async ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
        {
            var read = await content.ReadAsync(buffer, cancellationToken);
            Interlocked.Add(ref store._read, read);
            return read;
        }

        public override void Flush() => content.Flush();

        protected override void Dispose(bool disposing)
        {
            if (disposing) content.Dispose();
            base.Dispose(disposing);
        }
    }
}
