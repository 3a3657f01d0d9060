namespace Transfer.Journal;

/// <summary>A file that an interrupted run has begun.</summary>
internal sealed class PartialFile
{
    public required string Temporary { get; init; }

    public required SourceStamp Stamp { get; init; }

    /// <inheritdoc cref="JournalRecord.FileBegan"/>
    public bool IsDivided { get; init; }

    /// <summary>Ranges that have arrived according to the journal, as written there.</summary>
    public List<JournalRecord.RangeArrived> Ranges { get; } = [];
}
