using Microsoft.Extensions.Logging;
using Renci.SshNet;
using Renci.SshNet.Common;
using Transfer.Sftp;

namespace Transfer.SshNet.Session;

/// <summary>
/// Checks the host key of one connection, after the application's own handlers, and keeps the reason of a refusal, which SSH.NET does not.
/// </summary>
/// <param name="host">The host's name, as given by the application.</param>
/// <param name="port">The port.</param>
/// <param name="options">The trusted keys; null: those that the application's handlers do not refuse.</param>
/// <param name="logger">The log.</param>
internal sealed class HostKeyCheck(string host, int port, SshHostKeyOptions? options, ILogger logger)
{
    /// <summary>The host's name in messages.</summary>
    public string Name => $"{host}:{port}";

    /// <summary>The refusal of the key, or null.</summary>
    public TransferException? Refusal { get; private set; }

    /// <summary>Prefers the kinds of key that are known for the host: another could not be recognised.</summary>
    public void Prefer(ConnectionInfo connection)
    {
        if (options is null) return;
        var at = 0;
        foreach (var algorithm in options.GetKnownAlgorithms(host, port).Where(connection.HostKeyAlgorithms.ContainsKey))
            connection.HostKeyAlgorithms.SetPosition(algorithm, at++);
    }

    /// <summary>Handles <see cref="BaseClient.HostKeyReceived"/>. SSH.NET waits for the result on a separate thread.</summary>
    public void Check(object? sender, HostKeyEventArgs e)
    {
        if (!e.CanTrust)
        {
            Refusal = new TransferException(TransferError.HostKey,
                $"The application refuses the host key of {Name}, {e.HostKeyName} SHA256:{e.FingerPrintSHA256}.");
            return;
        }
        if (options is null) return;
        try
        {
            options.VerifyAsync(host, port, e.HostKey, logger).AsTask().GetAwaiter().GetResult();
        }
        catch (TransferException refused)
        {
            (Refusal, e.CanTrust) = (refused, false);
        }
    }
}
