using System.Management.Automation.Runspaces;
using Transfer.PowerShell.Clients;
using Transfer.PowerShell.Servers;

namespace Transfer.PowerShell;

/// <summary>
/// A connected server: the output of <c>Connect-TransferServer</c>, and the input of <c>-Server</c>. May be used from several runspaces
/// at once.
/// </summary>
public sealed class TransferServer
{
    private readonly ClientSource _source;
    private WeakReference<Runspace>? _owner;

    internal TransferServer(string name, ClientSource source, MessageRelay messages) =>
        (Name, _source, Messages) = (name, source, messages);

    /// <summary>The name that other cmdlets know the server by.</summary>
    public string Name { get; }

    /// <summary>The server and the folder that paths start from, without a password.</summary>
    public Uri Uri => Client.Endpoint;

    /// <summary>The name of the server's software; empty: not reported.</summary>
    public string Software => Client.Features.Server ?? string.Empty;

    /// <summary>Whether the server is closed and can no longer be used.</summary>
    public bool IsClosed { get; private set; }

    /// <summary>
    /// The runspace that has connected the server, and closes the server with the module; null: the runspace is gone, or was none.
    /// </summary>
    internal Runspace? Owner
    {
        get => _owner is not null && _owner.TryGetTarget(out var owner) ? owner : null;
        set => _owner = value is null ? null : new(value);
    }

    internal MessageRelay Messages { get; }

    internal TransferClient Client => _source.Client;

    /// <inheritdoc/>
    public override string ToString() => Name;

    /// <summary>The error of a command that works at the server, once that is closed.</summary>
    internal TransferException ClosedError(Exception? cause = null) =>
        new(TransferError.Lost, $"The server '{Name}' is closed. Connect to it again (Connect-TransferServer).", cause);

    internal async Task CloseAsync()
    {
        if (IsClosed) return;
        IsClosed = true;
        await Client.DisposeAsync().ConfigureAwait(false);
        _source.Dispose();
    }
}
