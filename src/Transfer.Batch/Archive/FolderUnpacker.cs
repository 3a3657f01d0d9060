using Transfer.Batch.Carriers;
using Transfer.Batch.Sealing;
using Transfer.Engine;

namespace Transfer.Batch.Archive;

/// <summary>Unpacks the archives of one job into a folder. A receiving carrier brings them here.</summary>
internal sealed class FolderUnpacker : IArchiveSink, IAsyncDisposable
{
    /// <param name="folder">The folder; made if need be.</param>
    /// <param name="options">How.</param>
    /// <param name="keys">Opens the archives. Belongs to the caller.</param>
    public FolderUnpacker(string folder, BatchUnpackOptions options, KeyRing keys)
    {
        throw new NotSupportedException($"{folder} {options} {keys}");
    }

    /// <summary>What became of the files.</summary>
    public JobTally Tally { get; } = new();

    public ValueTask<ArchiveReceipt> ReceiveAsync(long index, Stream archive, CancellationToken ct) => throw new NotSupportedException();

    /// <summary>All archives are confirmed: folders get their times and permissions. Gives the files of which something is still missing.</summary>
    public ValueTask<IReadOnlyList<ArchiveFailure>> CompleteAsync(CancellationToken ct) => throw new NotSupportedException();

    /// <summary>What is unfinished is deleted.</summary>
    public ValueTask DisposeAsync() => default;
}
