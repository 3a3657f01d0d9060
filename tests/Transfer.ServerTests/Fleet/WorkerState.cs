namespace Transfer.ServerTests.Fleet;

/// <summary>A worker, as the page has it.</summary>
internal sealed record WorkerState(string Name, string State, bool IsCurrent, int Running);
