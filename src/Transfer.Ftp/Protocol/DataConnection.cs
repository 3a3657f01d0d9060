namespace Transfer.Ftp.Protocol;

internal sealed class DataConnection : IAsyncDisposable
{
    public static ValueTask<DataConnection> ConnectAsync(ControlConnection control, string host, int port, DataSettings settings, CancellationToken ct) => throw new NotImplementedException();

    public ValueTask StartTlsAsync(CancellationToken ct) => throw new NotImplementedException();

    public ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken ct) => throw new NotImplementedException();

    public ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken ct) => throw new NotImplementedException();

    public ValueTask CompleteWritesAsync(CancellationToken ct) => throw new NotImplementedException();

    public void Abort() => throw new NotImplementedException();

    public ValueTask DisposeAsync() => throw new NotImplementedException();
}
