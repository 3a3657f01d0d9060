using Transfer.Sessions;

namespace Transfer.Batch.Carriers.Link.Framing;

/// <summary>Two streams, one to read and one to write, as one: standard input and output, for example. Owns both.</summary>
internal sealed class DuplexStream : SequentialStream, IHalfClosing
{
    private readonly Stream _input;
    private readonly Stream _output;

    public DuplexStream(Stream input, Stream output)
    {
        _input = input;
        _output = output;
    }

    public override bool CanRead => true;

    public override bool CanWrite => true;

    public ValueTask EndWritesAsync(CancellationToken ct) => _output.DisposeAsync();

    public override int Read(byte[] buffer, int offset, int count) => _input.Read(buffer, offset, count);

    public override ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default) =>
        _input.ReadAsync(buffer, cancellationToken);

    public override void Write(byte[] buffer, int offset, int count) => _output.Write(buffer, offset, count);

    public override ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default) =>
        _output.WriteAsync(buffer, cancellationToken);

    public override void Flush() => _output.Flush();

    public override Task FlushAsync(CancellationToken cancellationToken) => _output.FlushAsync(cancellationToken);

    public override async ValueTask DisposeAsync()
    {
        await _input.DisposeAsync().ConfigureAwait(false);
        await _output.DisposeAsync().ConfigureAwait(false);
        await base.DisposeAsync().ConfigureAwait(false);
    }

    protected override void Dispose(bool disposing)
    {
        if (disposing)
        {
            _input.Dispose();
            _output.Dispose();
        }
        base.Dispose(disposing);
    }
}
