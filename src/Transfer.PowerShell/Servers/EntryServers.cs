using System.Runtime.CompilerServices;

namespace Transfer.PowerShell.Servers;

/// <summary>The servers of entries: a cmdlet that takes an entry from a pipeline works at the server that has the entry.</summary>
internal static class EntryServers
{
    private static readonly ConditionalWeakTable<RemoteEntry, TransferServer> Known = [];

    /// <summary>Keeps the server of an entry for as long as the entry exists.</summary>
    public static void Keep(RemoteEntry entry, TransferServer server) => Known.AddOrUpdate(entry, server);

    /// <summary>The server of an entry; null: no cmdlet of this process has listed the entry.</summary>
    public static TransferServer? Of(RemoteEntry entry) => Known.TryGetValue(entry, out var server) ? server : null;
}
