using Transfer.Engine.Files;
using Transfer.Sessions;

namespace Transfer.Engine.Scheduling;

/// <summary>The owner of a client's workers: knows whether there is work, and receives their events.</summary>
internal interface IWorkerOwner
{
    /// <summary>The lock under which members named <c>…Locked</c> are called.</summary>
    Lock Gate { get; }

    /// <summary>Whether one more worker may begin.</summary>
    bool MayStartLocked { get; }

    /// <summary>Whether a worker without a session waits for one; false: the worker ends.</summary>
    bool MayGoOnLocked { get; }

    /// <summary>Whether there is no work, nor any to come, for workers that wait for a session.</summary>
    bool HasNothingToComeLocked { get; }

    /// <summary>Returns the source of work for one run of a session.</summary>
    WorkerSource Begin(Worker worker, TransferSession session);

    /// <summary>Reports that a session is open for files in line.</summary>
    void HasSessionLocked();

    /// <summary>Reports that no session could be opened for a worker.</summary>
    /// <param name="error">The reason.</param>
    /// <returns>The jobs that can get no session any more; their files in line are dropped outside the lock.</returns>
    Dispatcher[] FailedLocked(TransferException error);

    /// <summary>Reports that a worker has ended: there may be work for another one.</summary>
    void EndedLocked();
}
