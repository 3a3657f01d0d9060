namespace Transfer.Batch.Archive.Delta;

/// <summary>The files that a receiver had before the job. Thread-safe.</summary>
internal interface IBaseFiles
{
    /// <summary>Looks for a file; the caller disposes of the result. Never throws because of the arguments.</summary>
    /// <param name="path">The file's path in the job: any text.</param>
    /// <param name="length">The sender's length.</param>
    /// <param name="modified">The sender's time of modification, in ticks of UTC: any number.</param>
    BaseFile Find(string path, long length, long modified);
}
