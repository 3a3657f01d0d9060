namespace Transfer.Journal;

/// <summary>A journal that one keeps over several jobs that are parts of his: what earlier runs left, and its end, are his.</summary>
/// <param name="Journal">The journal.</param>
/// <param name="Names">The run's temporary names, of which it knows.</param>
internal sealed record LentJournal(JobJournal Journal, TemporaryNames Names);
