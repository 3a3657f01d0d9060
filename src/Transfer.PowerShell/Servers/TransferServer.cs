using Transfer.PowerShell.Clients;
using Transfer.PowerShell.Servers;

namespace Transfer.PowerShell;

/// <summary>A server that a session is connected to: what <c>Connect-TransferServer</c> writes, and <c>-Server</c> takes. May be used from several runspaces at once.</summary>
public sealed class TransferServer
{
    private readonly ClientSource _source;

    internal TransferServer(string name, ClientSource source, MessageRelay messages) => (Name, _source, Messages) = (name, source, messages);

    /// <summary>The name that other cmdlets know the server by.</summary>
    public string Name { get; }

    /// <summary>The server and the folder that paths start from, without a password.</summary>
    public Uri Uri => Client.Endpoint;

    /// <summary>What the server calls itself; empty: it says nothing.</summary>
    public string Software => Client.Features.Server ?? string.Empty;

    /// <summary>The server is closed: it cannot be used any more.</summary>
    public bool IsClosed { get; private set; }

    internal MessageRelay Messages { get; }

    internal TransferClient Client => _source.Client;

    /// <inheritdoc/>
    public override string ToString() => Name;

    internal async Task CloseAsync()
    {
        if (IsClosed) return;
        IsClosed = true;
        await Client.DisposeAsync().ConfigureAwait(false);
        _source.Dispose();
    }
}
