namespace Transfer.Cli.Commands;

/// <summary>What a pattern in a URL's last part stands for.</summary>
/// <param name="Entries">The entries that match, by name.</param>
/// <param name="Gap">Why others may match too: the folder's listing is partial. Null: it is not.</param>
internal sealed record GlobMatches(IReadOnlyList<RemoteEntry> Entries, TransferException? Gap);
