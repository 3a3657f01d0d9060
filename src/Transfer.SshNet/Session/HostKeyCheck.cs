using Microsoft.Extensions.Logging;
using Renci.SshNet;
using Renci.SshNet.Common;
using Transfer.Sftp;

namespace Transfer.SshNet.Session;

/// <summary>
/// Decides on the host key of one connection, behind the application's own handlers, and keeps the reason of a refusal, which SSH.NET
/// does not.
/// </summary>
/// <param name="host">The host's name, as the application has named it.</param>
/// <param name="port">Its port.</param>
/// <param name="options">The keys that are trusted; null: those that the application's handlers do not refuse.</param>
/// <param name="logger">Where messages go.</param>
internal sealed class HostKeyCheck(string host, int port, SshHostKeyOptions? options, ILogger logger)
{
    /// <summary>The host as messages name it.</summary>
    public string Name => $"{host}:{port}";

    /// <summary>Why the key was refused; null: it was not.</summary>
    public TransferException? Refusal { get; private set; }

    /// <summary>Asks for the kinds of key first that are known for the host: another one could not be recognised.</summary>
    public void Prefer(ConnectionInfo connection)
    {
        if (options is null) return;
        var at = 0;
        foreach (var algorithm in options.GetKnownAlgorithms(host, port).Where(connection.HostKeyAlgorithms.ContainsKey))
            connection.HostKeyAlgorithms.SetPosition(algorithm, at++);
    }

    /// <summary>Handles <see cref="BaseClient.HostKeyReceived"/>. SSH.NET waits for it on a thread of its own.</summary>
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
