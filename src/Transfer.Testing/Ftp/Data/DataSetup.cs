using System.Net.Sockets;

namespace Transfer.Testing.Ftp.Data;

/// <summary>The setup of the next data connection. Disposed after use, or when not needed.</summary>
internal abstract class DataSetup : IAsyncDisposable
{
    /// <summary>Accepts or connects; the caller owns the socket.</summary>
    public abstract ValueTask<Socket> OpenAsync(CancellationToken ct);

    public abstract ValueTask DisposeAsync();
}
