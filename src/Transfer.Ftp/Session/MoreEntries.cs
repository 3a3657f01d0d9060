namespace Transfer.Ftp.Session;

/// <summary>Entries that a truncated listing does not have.</summary>
/// <param name="Entries">The entries.</param>
/// <param name="IsComplete">With those of the listing they are all there are.</param>
internal sealed record MoreEntries(IReadOnlyList<RemoteEntry> Entries, bool IsComplete);
