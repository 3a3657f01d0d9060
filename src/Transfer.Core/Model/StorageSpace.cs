namespace Transfer;

/// <summary>The space of the file system that holds a path.</summary>
/// <param name="Available">The bytes that this user may still write.</param>
/// <param name="Total">The bytes of the whole file system, of which some may be for others; null: not known.</param>
public sealed record StorageSpace(long Available, long? Total = null);
