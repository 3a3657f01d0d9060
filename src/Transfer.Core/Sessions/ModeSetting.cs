namespace Transfer.Sessions;

/// <summary>The permissions that something is to get.</summary>
/// <param name="Path">Its path, absolute.</param>
/// <param name="Mode">Twelve bits of POSIX.</param>
public readonly record struct ModeSetting(string Path, UnixFileMode Mode);
