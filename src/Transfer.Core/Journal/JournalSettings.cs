namespace Transfer.Journal;

/// <summary>The journal of a job's options.</summary>
/// <param name="Path">The file; null: in the default place.</param>
/// <param name="Flush">When the journal is flushed.</param>
/// <param name="Resume">Whether the job of the journal is continued.</param>
internal sealed record JournalSettings(string? Path, JournalFlush Flush, bool Resume)
{
    public static JournalSettings? Of(string? path, JournalFlush flush, bool resume) =>
        path is null && !resume ? null : new(path, flush, resume);
}
