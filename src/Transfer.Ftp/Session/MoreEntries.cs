namespace Transfer.Ftp.Session;

/// <summary>Entries missing from a truncated listing.</summary>
/// <param name="Entries">The entries.</param>
/// <param name="IsComplete">Whether the directory has no entries beside these and those of the listing.</param>
internal sealed record MoreEntries(IReadOnlyList<RemoteEntry> Entries, bool IsComplete);
