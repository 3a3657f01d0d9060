using Transfer.Sessions;

namespace Transfer.Engine.Files;

/// <summary>The attempts at one file: how many there were, and where and when the next one begins.</summary>
internal sealed class FileAttempts
{
    /// <summary>How often a session began with it.</summary>
    public int Count { get; set; }

    /// <summary>How often a session gave it back untouched, or was given up because it stood still.</summary>
    public int Returns { get; set; }

    /// <summary>How long to wait before the attempt that comes next.</summary>
    public TimeSpan RetryAfter { get; set; }

    /// <summary>Time stamp of the first take.</summary>
    public long? Started { get; set; }

    /// <summary>
    /// Downloads: the file had grown while it was read, and the next attempt goes on here; null: it begins where the file does.
    /// </summary>
    public long? GoesOnAt { get; set; }

    /// <summary>Downloads: the exact length that the file was seen to have grown to; null: it was not.</summary>
    public long? GrownTo { get; set; }

    /// <summary>What the session that has read it told of the remote file, where it did.</summary>
    public FileStamp? Source { get; set; }
}
