namespace Transfer;

/// <summary>An entry that a part of a plan could not do.</summary>
/// <param name="Path">The path as text for people.</param>
/// <param name="Error">The kind of failure.</param>
/// <param name="Message">The reason.</param>
public sealed record PartFailure(string Path, TransferError Error, string Message);
