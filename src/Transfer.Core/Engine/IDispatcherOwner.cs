namespace Transfer.Engine;

/// <summary>Whom a dispatcher tells what happens to the files it was given.</summary>
internal interface IDispatcherOwner
{
    /// <summary>Makes the name of a temporary file, never the same twice.</summary>
    string NextTemporaryName();

    /// <summary>Bytes moved; negative where an attempt came to nothing.</summary>
    void Moved(long bytes);

    /// <summary>The file is in line again.</summary>
    void Requeued(JobFile file, TransferException? reason);

    /// <summary>The file's end: exactly once for each.</summary>
    void Ended(JobFile file, FileEnd end);
}
