namespace Transfer.Modes;

/// <summary>A file that is to get its permissions before its name.</summary>
/// <param name="Path">The present path, absolute.</param>
/// <param name="Replaced">The path of the file that is replaced, if present; null: none is replaced.</param>
/// <param name="Source">The permissions of the source; null: unknown.</param>
public sealed record ModeSettlement(string Path, string? Replaced, UnixFileMode? Source)
{
    /// <summary>Whether the file, unless another is replaced, already has its final permissions.</summary>
    public bool KeepsOwn { get; init; }
}
