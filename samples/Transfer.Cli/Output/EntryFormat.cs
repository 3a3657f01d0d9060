namespace Transfer.Cli.Output;

/// <summary>The form of entries as lines of text.</summary>
/// <param name="Details">Whether type, permissions, owner, size and time are printed.</param>
/// <param name="IsHuman">Whether sizes have units.</param>
/// <param name="Zone">The time zone of times.</param>
/// <param name="End">The end of each entry.</param>
internal sealed record EntryFormat(bool Details, bool IsHuman, TimeZoneInfo Zone, char End = '\n');
