namespace Transfer.Cli.Commands;

/// <summary>Looks at many entries, several in a flight.</summary>
internal static class EntryLooks
{
    /// <summary>The number of looks in a flight.</summary>
    public const int Together = 64;

    /// <summary>Looks at entries side by side; null for one that is absent.</summary>
    public static Task<RemoteEntry?[]> FindAsync(TransferClient client, IEnumerable<string> paths, CancellationToken ct) =>
        Task.WhenAll(paths.Select(path => client.GetEntryAsync(path, ct).AsTask()));
}
