namespace Transfer.Sessions;

/// <summary>The facts that distinguish one state of a remote file from another.</summary>
/// <param name="Length">The length in bytes; null: unknown.</param>
/// <param name="Modified">The modification time; null: unknown.</param>
public readonly record struct FileStamp(long? Length, DateTimeOffset? Modified);
