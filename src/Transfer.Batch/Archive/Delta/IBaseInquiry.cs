namespace Transfer.Batch.Archive.Delta;

/// <summary>Requests the receiver's versions of files. Thread-safe.</summary>
internal interface IBaseInquiry
{
    /// <summary>Whether the receiver had any files when the job began; known once the receiver has accepted the job.</summary>
    ValueTask<bool> IsWorthwhileAsync(CancellationToken ct);

    /// <summary>Requests the receiver's version of one file. Many requests may be under way at once. A request without an answer for too
    /// long counts as a no.</summary>
    /// <param name="path">The file's path in the job.</param>
    /// <param name="length">The file's length here.</param>
    /// <param name="modified">The file's time of modification here, in ticks of UTC.</param>
    /// <param name="ct">Stops waiting.</param>
    ValueTask<BaseAnswer> AskAsync(string path, long length, long modified, CancellationToken ct);
}
