namespace Transfer.Modes;

/// <summary>A file whose name another one takes over.</summary>
/// <param name="Mode">The permissions.</param>
/// <param name="IsSameGroup">
/// Whether the group is certainly that of the new file. Else the group's permissions do not suit the new file's group.
/// </param>
public readonly record struct ReplacedFile(UnixFileMode Mode, bool IsSameGroup);
