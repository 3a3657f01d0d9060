namespace Transfer.ServerTests.Fleet;

/// <summary>A step of a plan, as the page has it.</summary>
internal sealed record PartState(string Part, string State, string? Worker, int Attempts, int? Percent, bool CanRetry, PartNumbers Outcome);
