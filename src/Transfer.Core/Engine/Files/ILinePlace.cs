namespace Transfer.Engine.Files;

/// <summary>A job's place at the client's scheduler, as the job's line sees it: receives each change that sessions may wait for.</summary>
internal interface ILinePlace
{
    /// <summary>The lock under which members named <c>…Locked</c> are called.</summary>
    Lock Gate { get; }

    /// <summary>Reports that the number of files in line has changed.</summary>
    void LinedLocked();

    /// <summary>Reports files in line that sessions which wait for more have not seen.</summary>
    /// <param name="files">The number of such files; 0: only the order has changed.</param>
    void SignalMoreLocked(int files);

    /// <summary>Has sessions opened, as many as the files in line pay for.</summary>
    void StartWorkersLocked();

    /// <summary>Ends the waits for sessions that no file needs any more.</summary>
    void DismissWaitingLocked();

    /// <summary>Reports files that were added, or have ended.</summary>
    void UnsettledLocked(int change);

    /// <summary>Reports the end of the job.</summary>
    void RemoveLocked();
}
