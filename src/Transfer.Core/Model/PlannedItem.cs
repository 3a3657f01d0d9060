namespace Transfer;

/// <summary>
/// One step of a planned synchronization: see
/// <see cref="PlanExtensions.PlanAsync(TransferClient, string, string, SyncDirection, SyncOptions?, CancellationToken)"/>.
/// </summary>
public sealed record PlannedItem
{
    /// <summary>The path relative to the folder, with forward slashes; in a failure of the whole folder <c>.</c>.</summary>
    public required string Path { get; init; }

    /// <summary>
    /// <see cref="ItemAction.Transfer"/>: a file is sent, a link or an empty folder made. <see cref="ItemAction.Delete"/>: only the target
    /// has the entry. There are no others.
    /// </summary>
    public ItemAction Action { get; init; }

    /// <summary>
    /// The kind of entry, as far as known: a link that is made may count as a file. An entry that is of another kind by now is not deleted.
    /// </summary>
    public RemoteEntryType Type { get; init; } = RemoteEntryType.File;

    /// <summary>
    /// The length in bytes, as listed, of a file that is sent, or of a file or link that is deleted: with another length by now, that is
    /// left. Null: not known.
    /// </summary>
    public long? Length { get; init; }

    /// <summary>
    /// The modification time, as listed, of a file or link that is deleted: with another time by now, to the target's precision, that is
    /// left. Null: not known, or the entry is not deleted.
    /// </summary>
    public DateTimeOffset? Modified { get; init; }

    /// <summary>
    /// The path that entries share whose names may be one at some target (they differ in case or in Unicode's form only), with all entries
    /// below. Such entries belong in one part, since the target decides between them when they come together. Null: no other entry.
    /// </summary>
    public string? Group { get; init; }

    /// <summary>Why the entry could not be planned; null: the entry is planned.</summary>
    public TransferException? Error { get; init; }
}
