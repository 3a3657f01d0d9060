namespace Transfer.Batch.Archive.Delta;

/// <summary>Asks the receiver what it has. Thread-safe.</summary>
internal interface IBaseInquiry
{
    /// <summary>Whether there was anything when the job began; known when the receiver has taken it on.</summary>
    ValueTask<bool> IsWorthwhileAsync(CancellationToken ct);

    /// <summary>Asks for one file. Many may be asked for at once. What is not answered for too long is taken for a no.</summary>
    /// <param name="path">Its path in the job.</param>
    /// <param name="length">Its length here.</param>
    /// <param name="modified">When it was modified here, in ticks of UTC.</param>
    /// <param name="ct">Gives it up.</param>
    ValueTask<BaseAnswer> AskAsync(string path, long length, long modified, CancellationToken ct);
}
