using Transfer.Sessions;

namespace Transfer.Tests.Ftp.Protocol;

/// <summary>Keeps what is written through it.</summary>
internal sealed class RecordingStream(Stream inner) : SequentialStream
{
    private readonly MemoryStream _written = new();

    public byte[] Written => _written.ToArray();

    public override bool CanRead => true;

    public override bool CanWrite => true;

    public override ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default) =>
        inner.ReadAsync(buffer, cancellationToken);

    public override ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default)
    {
        _written.Write(buffer.Span);
        return inner.WriteAsync(buffer, cancellationToken);
    }

    public override Task FlushAsync(CancellationToken cancellationToken) => inner.FlushAsync(cancellationToken);

    public override void Flush() => inner.Flush();

    protected override void Dispose(bool disposing)
    {
        if (disposing)
            inner.Dispose();
        base.Dispose(disposing);
    }
}
