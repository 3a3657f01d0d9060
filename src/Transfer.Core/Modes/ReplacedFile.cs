namespace Transfer.Modes;

/// <summary>A file whose name another one takes over.</summary>
/// <param name="Mode">Its permissions.</param>
/// <param name="IsSameGroup">It belongs to the group that the new file belongs to, for certain. Else what it lets its group do is not for the new file's.</param>
public readonly record struct ReplacedFile(UnixFileMode Mode, bool IsSameGroup);
