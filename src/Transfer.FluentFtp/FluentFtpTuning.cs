using System.Net.Sockets;
using FluentFTP;
using FluentFTP.Client.BaseClient;

namespace Transfer.FluentFtp;

/// <summary>Settings that make a client of FluentFTP faster, for applications that keep calling FluentFTP.</summary>
public static class FluentFtpTuning
{
    /// <summary>Bytes that a tuned client reads or writes at once: of a file, and of a data connection. 1 MiB.</summary>
    public const int ChunkSize = 1 << 20;

    /// <summary>Bytes of a listing that a tuned client reads at once. 64 KiB.</summary>
    public const int ListingChunkSize = 64 << 10;

    /// <summary>
    /// Sets the tunable properties of FluentFTP 54: 1 MiB for chunks of transfers (64 KiB) and buffers of local files (4 KiB), 64 KiB for
    /// reads of listings (128 bytes), TCP keep-alive on all connections, and no delay on the control connection of a connected client.
    /// Larger values of the application stay.
    /// </summary>
    /// <remarks>
    /// FluentFTP itself looks up addresses only forwards, and keeps the name for TLS. Its sockets have the system's adaptive buffers. The
    /// pause of 100 ms after each upload, the look before it (unless <c>FtpRemoteExists.NoCheck</c> is passed) and one command at a time
    /// can't be changed from outside.
    /// </remarks>
    /// <param name="client">A client, connected or not.</param>
    /// <returns>The client.</returns>
    public static TClient Tune<TClient>(this TClient client)
        where TClient : BaseFtpClient
    {
        ArgumentNullException.ThrowIfNull(client);
        var config = client.Config;
        config.TransferChunkSize = Math.Max(config.TransferChunkSize, ChunkSize);
        config.LocalFileBufferSize = Math.Max(config.LocalFileBufferSize, ChunkSize);
        config.BulkListing = true;
        config.BulkListingLength = Math.Max(config.BulkListingLength, ListingChunkSize);
        if (client.IsConnected)
        {
            config.SocketKeepAlive = true;
            ((IInternalFtpClient)client).GetBaseStream().SetSocketOption(SocketOptionLevel.Tcp, SocketOptionName.NoDelay, true);
        }
        else
        {
            // The setter accesses the socket of a closed stream.
            config.BindTo(null);
            config.SocketKeepAlive = true;
            config.BindTo(client);
        }
        return client;
    }
}
