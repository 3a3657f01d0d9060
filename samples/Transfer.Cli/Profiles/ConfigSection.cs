namespace Transfer.Cli.Profiles;

/// <summary>A section of the configuration, and its lines in order.</summary>
/// <param name="Name">The name between the brackets.</param>
/// <param name="Line">The number of the line, from 1.</param>
/// <param name="Entries">The lines of the section.</param>
internal sealed record ConfigSection(string Name, int Line, IReadOnlyList<ConfigEntry> Entries);
