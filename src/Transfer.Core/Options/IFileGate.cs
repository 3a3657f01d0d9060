namespace Transfer;

/// <summary>Holds files of a synchronisation back that are not complete at their source yet: they are neither sent nor absent.</summary>
internal interface IFileGate
{
    /// <summary>The ending of the file beside each complete one; null: there are no such files.</summary>
    string? Trigger { get; }

    /// <summary>Takes a trigger file that shows a file to be complete.</summary>
    /// <param name="path">The path below the source.</param>
    /// <param name="length">The length in bytes; null: unknown.</param>
    /// <param name="modified">The time of the last change; null: unknown.</param>
    void Triggered(string path, long? length, DateTimeOffset? modified);

    /// <summary>Files that failed before and are not tried again yet: as for those that fail now, nothing is deleted.</summary>
    long Failing { get; }

    /// <summary>Returns whether a file that is to be sent may be sent now.</summary>
    /// <param name="path">The path below the source.</param>
    /// <param name="length">The length in bytes; null: unknown.</param>
    /// <param name="modified">The time of the last change; null: unknown.</param>
    bool IsReady(string path, long? length, DateTimeOffset? modified);

    /// <summary>Returns whether a file was sent before, and its source could not be removed or moved then.</summary>
    /// <param name="path">The path below the source.</param>
    bool IsLeft(string path);
}
