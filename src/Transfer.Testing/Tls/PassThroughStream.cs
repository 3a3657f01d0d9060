using Transfer.Sessions;

namespace Transfer.Testing.Tls;

/// <summary>A stream over another one; a derived class watches reads or writes. Does not own the inner stream.</summary>
internal abstract class PassThroughStream : SequentialStream
{
    protected PassThroughStream(Stream inner) => Inner = inner;

    public override bool CanRead => true;

    public override bool CanWrite => true;

    protected Stream Inner { get; }

    public override ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default) =>
        Inner.ReadAsync(buffer, cancellationToken);

    public override ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default) =>
        Inner.WriteAsync(buffer, cancellationToken);

    public override Task FlushAsync(CancellationToken cancellationToken) => Inner.FlushAsync(cancellationToken);

    public override void Flush() => Inner.Flush();
}
