using System.Net.Sockets;

namespace Transfer.Testing.Data;

/// <summary>How the next data connection comes about. Disposed when it has, or when it is not needed.</summary>
internal abstract class DataSetup : IAsyncDisposable
{
    /// <summary>Accepts or connects; the caller owns the socket.</summary>
    public abstract ValueTask<Socket> OpenAsync(CancellationToken ct);

    public abstract ValueTask DisposeAsync();
}
