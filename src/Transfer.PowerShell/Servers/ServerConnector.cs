using System.Management.Automation;
using Transfer.PowerShell.Clients;
using Transfer.PowerShell.Pump;
using Transfer.Sftp;

namespace Transfer.PowerShell.Servers;

/// <summary>
/// Connects to a server by a cmdlet's parameters, and prompts the user if a host key is not known or the server has questions.
/// </summary>
/// <param name="parameters">The parameters.</param>
/// <param name="paths">Finds local files from the current folder.</param>
/// <param name="console">Prompts the user.</param>
/// <param name="pump">Carries questions to the pipeline's thread.</param>
internal sealed class ServerConnector(IConnectionParameters parameters, PathIntrinsics paths, ConnectionConsole console,
    PipelinePump pump)
{
    /// <summary>The settings of a server; made on the pipeline's thread.</summary>
    public ClientSettings Settings(Uri uri, PSCredential? credential) => new()
    {
        Uri = uri,
        Credential = ServerOpener.Credential(credential),
        IdentityFiles = [.. parameters.IdentityFile.Select(paths.GetUnresolvedProviderPathFromPSPath)],
        Passphrase = SecretText.Of(parameters.Passphrase),
        Pins = parameters.Pin,
        AcceptNewHostKey = parameters.AcceptNewHostKey,
        KnownHostsFile = parameters.KnownHostsFile is null ? null : paths.GetUnresolvedProviderPathFromPSPath(parameters.KnownHostsFile),
        UseSshConfig = parameters.UseSshConfig,
        Jump = parameters.Jump,
        Proxy = parameters.Proxy,
        ProxyCredential = ServerOpener.Credential(parameters.ProxyCredential),
        MaxSessions = parameters.MaxSessions,
        IdleTimeout = parameters.IdleTimeout,
        Log = _ => { },
        Ask = question => pump.Ask(() => console.Ask(question), null),
    };

    /// <summary>Connects, beside the pipeline.</summary>
    /// <param name="settings">The client's settings.</param>
    /// <param name="messages">Receives the client's messages.</param>
    /// <param name="name">The server's name; null: the host's.</param>
    /// <param name="ct">Cancels.</param>
    public async Task<TransferServer> OpenAsync(ClientSettings settings, MessageRelay messages, string? name, CancellationToken ct)
    {
        SshHostKey? unknown = null;
        try
        {
            return await ServerOpener.OpenAsync(settings with { OnUnknownHostKey = key => unknown = key }, messages, name, ct)
                .ConfigureAwait(false);
        }
        catch (TransferException e) when (e.Error == TransferError.HostKey && unknown is not null)
        {
            if (!pump.Ask(() => console.IsTrusted(e.Message), false)) throw;
            // The very key that was shown.
            return await ServerOpener.OpenAsync(settings with { Pins = [unknown.Fingerprint] }, messages, name, ct).ConfigureAwait(false);
        }
    }
}
