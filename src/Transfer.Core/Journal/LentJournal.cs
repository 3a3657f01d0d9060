namespace Transfer.Journal;

/// <summary>A journal that its owner keeps over several jobs, the parts of one larger job: leftovers of earlier runs, and the end of the
/// journal, are for the owner.</summary>
/// <param name="Journal">The journal.</param>
/// <param name="Names">The run's temporary names, which the journal knows.</param>
internal sealed record LentJournal(JobJournal Journal, TemporaryNames Names);
