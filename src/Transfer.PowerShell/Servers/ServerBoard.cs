using System.Collections.Concurrent;
using System.Management.Automation.Runspaces;
using System.Runtime.CompilerServices;

namespace Transfer.PowerShell.Servers;

/// <summary>The connected servers. Each runspace has a current server of its own; names are known in the whole process.</summary>
internal static class ServerBoard
{
    private static readonly ConcurrentDictionary<string, TransferServer> Open = new(StringComparer.OrdinalIgnoreCase);
    private static readonly ConditionalWeakTable<Runspace, StrongBox<TransferServer?>> CurrentOnes = [];

    /// <summary>All that are open, by name.</summary>
    public static IEnumerable<TransferServer> All => Open.Values.OrderBy(server => server.Name, StringComparer.OrdinalIgnoreCase);

    /// <summary>The server that cmdlets of this runspace use where none is named; null: there is none.</summary>
    public static TransferServer? Current
    {
        get => Runspace.DefaultRunspace is { } runspace
            && CurrentOnes.TryGetValue(runspace, out var current) && current.Value is { IsClosed: false } server ? server : null;
        set
        {
            if (Runspace.DefaultRunspace is { } runspace) CurrentOnes.GetOrCreateValue(runspace).Value = value;
        }
    }

    /// <summary>The server of a name; null: no server has this name.</summary>
    public static TransferServer? Find(string name) => Open.GetValueOrDefault(name);

    /// <summary>A name for a server that was given none: the host's, with a number where that is taken.</summary>
    public static string NameFor(Uri uri)
    {
        var host = uri.Host.Length > 0 ? uri.Host : uri.Scheme;
        for (var number = 1; ; number++)
        {
            var name = number == 1 ? host : $"{host}#{number}";
            if (!Open.ContainsKey(name)) return name;
        }
    }

    /// <summary>Adds a server, which belongs to this runspace. False: the name is taken.</summary>
    public static bool TryAdd(TransferServer server)
    {
        server.Owner = Runspace.DefaultRunspace;
        return Open.TryAdd(server.Name, server);
    }

    /// <summary>Closes a server.</summary>
    public static async Task CloseAsync(TransferServer server)
    {
        Open.TryRemove(new(server.Name, server));
        await server.CloseAsync().ConfigureAwait(false);
    }

    /// <summary>Closes the servers that this runspace has connected, and those whose runspace has ended.</summary>
    public static Task CloseOwnAsync()
    {
        var runspace = Runspace.DefaultRunspace;
        var due = Open.Values.Where(server => server.Owner is not { } owner || owner == runspace || HasEnded(owner));
        return Task.WhenAll(due.Select(CloseAsync));
    }

    private static bool HasEnded(Runspace runspace) =>
        runspace.RunspaceStateInfo.State is RunspaceState.Closing or RunspaceState.Closed or RunspaceState.Broken;
}
