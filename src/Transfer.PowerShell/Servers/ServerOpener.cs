using System.Management.Automation;
using Transfer.PowerShell.Clients;

namespace Transfer.PowerShell.Servers;

/// <summary>Makes a server of a cmdlet's parameters, and connects.</summary>
internal static class ServerOpener
{
    /// <summary>Connects.</summary>
    /// <param name="settings">The client's settings; their log is the server's own.</param>
    /// <param name="messages">Receives the client's messages.</param>
    /// <param name="name">The name; null: by the host's.</param>
    /// <param name="ct">Cancels.</param>
    public static async Task<TransferServer> OpenAsync(ClientSettings settings, MessageRelay messages, string? name, CancellationToken ct)
    {
        var source = await ClientSource.CreateAsync(settings with { Log = messages.Say }, ct).ConfigureAwait(false);
        var server = new TransferServer(name ?? ServerBoard.NameFor(settings.Uri), source, messages);
        try
        {
            await server.Client.ConnectAsync(ct).ConfigureAwait(false);
            return server;
        }
        catch
        {
            await server.CloseAsync().ConfigureAwait(false);
            throw;
        }
    }

    /// <summary>The log-in of a PSCredential.</summary>
    public static TransferCredential? Credential(PSCredential? credential) =>
        credential is null || credential == PSCredential.Empty
        ? null : new TransferCredential(credential.UserName, credential.GetNetworkCredential().Password);
}
