namespace Transfer.Sessions;

/// <summary>New permissions for an entry.</summary>
/// <param name="Path">The path, absolute.</param>
/// <param name="Mode">Twelve bits of POSIX.</param>
public readonly record struct ModeSetting(string Path, UnixFileMode Mode);
