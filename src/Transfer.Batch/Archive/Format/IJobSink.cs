using Transfer.Batch.Archive.Delta;
using Transfer.Batch.Carriers;

namespace Transfer.Batch.Archive.Format;

/// <summary>The receiving end of one job. Disposed of at its end, or when it is given up: what is unfinished then is deleted.</summary>
internal interface IJobSink : IArchiveSink, IAsyncDisposable
{
    /// <summary>What became of the files.</summary>
    JobTally Tally { get; }

    /// <summary>What there was when the job began, for its sender to build on; null: nothing, or nothing that he is told of.</summary>
    IBaseFiles? Bases => null;

    /// <summary>The job's memory.</summary>
    ByteBudget Buffers => JobBuffers.Unbounded.Archives;

    /// <summary>Every archive was confirmed or given up by the sender: what is left to be done is done, and the tally is complete.</summary>
    /// <param name="lost">Those that were given up: what was in them has failed.</param>
    /// <param name="ct">Gives it up.</param>
    ValueTask FinishAsync(IReadOnlyList<LostArchive> lost, CancellationToken ct);
}
