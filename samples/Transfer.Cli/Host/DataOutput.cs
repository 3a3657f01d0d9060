using Transfer.Sessions;

namespace Transfer.Cli.Host;

/// <summary>
/// Standard output for data. The platform's stream takes a pipe whose reader has gone for a success (it swallows EPIPE), so
/// that <c>transfer cat big | head</c> would fetch all of it; this one asks the pipe and stops.
/// </summary>
internal sealed class DataOutput(Stream inner, Action closed) : SequentialStream
{
    private bool _closed;

    public override bool CanWrite => true;

    public override async ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default)
    {
        await inner.WriteAsync(buffer, cancellationToken);
        Check();
    }

    public override void Write(byte[] buffer, int offset, int count)
    {
        inner.Write(buffer, offset, count);
        Check();
    }

    public override void Flush() => inner.Flush();

    public override Task FlushAsync(CancellationToken cancellationToken) => inner.FlushAsync(cancellationToken);

    private void Check()
    {
        if (!_closed && StandardStream.HasNoPeer(StandardStream.Output))
        {
            _closed = true;
            closed();
        }

        if (_closed) throw new IOException("Nobody reads standard output any more.");
    }
}
