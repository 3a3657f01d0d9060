namespace Transfer.ServerTests.Fleet;

/// <summary>The outcome of a step, as the page has it.</summary>
internal sealed record PartNumbers(string? Error, string? Message, long Files, long Confirmed, long Deleted, long Failed);
