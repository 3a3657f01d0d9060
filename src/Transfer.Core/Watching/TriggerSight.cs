namespace Transfer.Watching;

/// <summary>A trigger file as a round has listed it: one of another length or time belongs to a later version of its file.</summary>
internal sealed record TriggerSight(long? Length, DateTimeOffset? Modified);
