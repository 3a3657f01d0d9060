namespace Transfer.Cli.Output;

/// <summary>An item that was moved to a target where it is called something else.</summary>
/// <param name="Path">How messages call it.</param>
/// <param name="To">Its path at the target, relative to the folder there.</param>
internal sealed record ItemMapping(string Path, string To);
