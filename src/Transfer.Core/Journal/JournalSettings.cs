namespace Transfer.Journal;

/// <summary>How a job keeps its journal, as its options say it.</summary>
/// <param name="Path">Where; null: in the default place.</param>
/// <param name="Flush">When it is flushed.</param>
/// <param name="Resume">The job that it tells of is continued.</param>
internal sealed record JournalSettings(string? Path, JournalFlush Flush, bool Resume)
{
    public static JournalSettings? Of(string? path, JournalFlush flush, bool resume) => path is null && !resume ? null : new(path, flush, resume);
}
