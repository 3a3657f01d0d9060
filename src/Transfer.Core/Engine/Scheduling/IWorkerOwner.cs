using Transfer.Engine.Files;
using Transfer.Sessions;

namespace Transfer.Engine.Scheduling;

/// <summary>Gives a client's workers their reasons: whether there is work for them, and who is to know what becomes of them.</summary>
internal interface IWorkerOwner
{
    /// <summary>The lock under which what is named <c>…Locked</c> is called.</summary>
    Lock Gate { get; }

    /// <summary>One more worker may begin.</summary>
    bool MayStartLocked { get; }

    /// <summary>A worker that has no session waits for one; false: it ends.</summary>
    bool MayGoOnLocked { get; }

    /// <summary>Nothing is left, nor to come, for workers that wait for a session.</summary>
    bool HasNothingToComeLocked { get; }

    /// <summary>What a session takes from in one run.</summary>
    WorkerSource Begin(Worker worker, TransferSession session);

    /// <summary>A session is there for files in line.</summary>
    void HasSessionLocked();

    /// <summary>No session could be opened for a worker.</summary>
    /// <param name="error">Why.</param>
    /// <returns>The jobs that can get none any more; their files in line are dropped outside of the lock.</returns>
    Dispatcher[] FailedLocked(TransferException error);

    /// <summary>A worker has ended: there may be work for another one.</summary>
    void EndedLocked();
}
