namespace Transfer.Sessions;

/// <summary>What tells one state of a remote file from another.</summary>
/// <param name="Length">Its length in bytes; null: not known.</param>
/// <param name="Modified">Its modification time; null: not known.</param>
public readonly record struct FileStamp(long? Length, DateTimeOffset? Modified);
