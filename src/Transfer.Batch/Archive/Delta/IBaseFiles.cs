namespace Transfer.Batch.Archive.Delta;

/// <summary>What a receiver had before the job. Thread-safe.</summary>
internal interface IBaseFiles
{
    /// <summary>Looks at a file; whoever takes the result disposes of it. Never throws for what it is asked for.</summary>
    /// <param name="path">Its path in the job: any text.</param>
    /// <param name="length">The sender's length.</param>
    /// <param name="modified">The sender's time of modification, in ticks of UTC: any number.</param>
    BaseFile Find(string path, long length, long modified);
}
