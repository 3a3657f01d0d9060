namespace Transfer.Modes;

/// <summary>A file that is to get its permissions, before it gets its name.</summary>
/// <param name="Path">Its path at present, absolute.</param>
/// <param name="Replaced">The path of what it replaces, where that is there; null: it replaces nothing.</param>
/// <param name="Source">The permissions of its source; null: not known.</param>
public sealed record ModeSettlement(string Path, string? Replaced, UnixFileMode? Source)
{
    /// <summary>Where nothing is replaced the file has the permissions already that it is to have.</summary>
    public bool KeepsOwn { get; init; }
}
