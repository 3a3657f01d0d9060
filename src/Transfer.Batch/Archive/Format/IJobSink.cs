using Transfer.Batch.Archive.Delta;
using Transfer.Batch.Carriers;

namespace Transfer.Batch.Archive.Format;

/// <summary>The receiving end of one job. Disposed of when the job ends or is broken off: unfinished files are then deleted.</summary>
internal interface IJobSink : IArchiveSink, IAsyncDisposable
{
    /// <summary>The counts of the files' results.</summary>
    JobTally Tally { get; }

    /// <summary>The files that existed when the job began, for the sender to build on; null: none, or none that the sender may know
    /// of.</summary>
    IBaseFiles? Bases => null;

    /// <summary>The job's memory.</summary>
    ByteBudget Buffers => JobBuffers.Unbounded.Archives;

    /// <summary>Begins the job; called once, before the first archive.</summary>
    /// <param name="job">Receives items and progress.</param>
    /// <param name="onFault">Receives the exception of a handler of the application, which is to end the job.</param>
    void Begin(TransferJobContext job, Action<Exception> onFault);

    /// <summary>Completes the job and the tally, once every archive was confirmed or given up by the sender.</summary>
    /// <param name="lost">The archives that were given up, with failed files.</param>
    /// <param name="ct">Stops the work.</param>
    ValueTask FinishAsync(IReadOnlyList<LostArchive> lost, CancellationToken ct);
}
