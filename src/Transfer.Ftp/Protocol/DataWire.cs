using Transfer.Sessions;

namespace Transfer.Ftp.Protocol;

/// <summary>A data connection's bytes as a stream, for the compressor to work on.</summary>
internal sealed class DataWire : SequentialStream
{
    private readonly DataConnection _connection;

    public DataWire(DataConnection connection) => _connection = connection;

    public override bool CanRead => true;

    public override bool CanWrite => true;

    public override ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default) =>
        _connection.ReadWireAsync(buffer, cancellationToken);

    public override ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default) =>
        _connection.WriteWireAsync(buffer, cancellationToken);
}
