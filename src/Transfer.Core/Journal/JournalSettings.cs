namespace Transfer.Journal;

/// <summary>The journal of a job's options.</summary>
/// <param name="Path">The file; null: in the default place.</param>
/// <param name="Flush">When the journal is flushed.</param>
/// <param name="Resume">Whether the job of the journal is continued.</param>
internal sealed record JournalSettings(string? Path, JournalFlush Flush, bool Resume)
{
    /// <summary>The part of the job that has a journal of its own; null: the job is whole.</summary>
    public string? Part { get; init; }

    /// <summary>The name of the part behind the name of the job.</summary>
    public string Suffix => Part is null ? string.Empty : $" ({Part})";

    public static JournalSettings? Of(string? path, JournalFlush flush, bool resume) =>
        path is null && !resume ? null : new(path, flush, resume);
}
