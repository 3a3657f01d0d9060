using Transfer.Sessions;

namespace Transfer.Engine.Files;

/// <summary>The attempts at one file: how many there were, and where and when the next one begins.</summary>
internal sealed class FileAttempts
{
    /// <summary>The number of times that a session began with the file.</summary>
    public int Count { get; set; }

    /// <summary>The number of times that a session returned the file untouched, or was given up because of a standstill.</summary>
    public int ReturnCount { get; set; }

    /// <summary>The delay before the next attempt.</summary>
    public TimeSpan RetryAfter { get; set; }

    /// <summary>The time stamp of the first take.</summary>
    public long? Started { get; set; }

    /// <summary>
    /// Downloads: the offset at which the next attempt goes on, when the file had grown while being read; null: the file's first byte.
    /// </summary>
    public long? ContinueAt { get; set; }

    /// <summary>Downloads: the exact length that the file was seen to have behind the last attempt; null: it was not looked at.</summary>
    public long? SeenLength { get; set; }

    /// <summary>The length and time of the remote file that the session reported while reading; null: none.</summary>
    public FileStamp? Source { get; set; }
}
