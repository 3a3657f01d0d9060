namespace Transfer.Engine.Journal;

/// <summary>A file that a broken-off run has begun.</summary>
internal sealed class PartialFile
{
    /// <summary>The end of a range that is looked at before the range is believed, in bytes.</summary>
    public const int TailLength = 64 << 10;

    public required string Temporary { get; init; }

    public required SourceStamp Stamp { get; init; }

    /// <summary>Ranges that are said to be there, as they were written down.</summary>
    public List<JournalRecord.RangeArrived> Ranges { get; } = [];
}
