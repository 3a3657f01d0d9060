using Renci.SshNet;

namespace Transfer.SshNet;

/// <summary>
/// Settings of an SSH.NET client that Transfer's measurements favour, for applications that keep the rest of their code.
/// </summary>
public static class SshNetTuning
{
    // SSH.NET's own value.
    private const uint DefaultBuffer = 32 * 1024;
    private const uint Buffer = 1 << 20;
    private static readonly TimeSpan KeepAlive = TimeSpan.FromSeconds(30);

    /// <summary>
    /// Sets, before or after the client connects, properties that have SSH.NET's default values: <see cref="SftpClient.BufferSize"/> to 1
    /// MiB, so that a request carries as much as the channel's packets allow (64 KiB for reads, the server's packet for writes, 32 KiB for
    /// OpenSSH), and <see cref="BaseClient.KeepAliveInterval"/> to 30 seconds. The application's own values stay.
    /// </summary>
    /// <remarks>
    /// SSH.NET 2026.0.0 looks up addresses without a reverse look-up and sets NoDelay by itself. The socket's buffers can't be reached:
    /// <see cref="BaseClient.Connect"/> requests 669 KiB, <see cref="BaseClient.ConnectAsync"/> 134 KiB, so that the first is the faster
    /// one over long links.
    /// </remarks>
    /// <param name="client">The client.</param>
    /// <returns>The same client.</returns>
    public static SftpClient Tune(this SftpClient client)
    {
        ArgumentNullException.ThrowIfNull(client);
        if (client.BufferSize == DefaultBuffer) client.BufferSize = Buffer;
        if (client.KeepAliveInterval == Timeout.InfiniteTimeSpan) client.KeepAliveInterval = KeepAlive;
        return client;
    }
}
