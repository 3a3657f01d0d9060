using Transfer.Batch.Carriers;
using Transfer.Batch.Sealing;
using Transfer.Engine;

namespace Transfer.Batch.Archive;

/// <summary>Packs a folder into archives. A sending carrier takes them from here.</summary>
internal sealed class FolderArchives : IArchiveSource, IAsyncDisposable
{
    private FolderArchives()
    {
    }

    /// <summary>What became of the files.</summary>
    public JobTally Tally { get; } = new();

    /// <summary>Begins to walk a folder.</summary>
    /// <param name="folder">The folder; what is in it is sent, not it itself.</param>
    /// <param name="options">How.</param>
    /// <param name="keys">What the archives are sealed with. Belongs to the caller, who keeps it until this is disposed of.</param>
    /// <exception cref="TransferException">The folder cannot be read.</exception>
    public static FolderArchives Open(string folder, BatchPackOptions options, JobKeys keys) => throw new NotSupportedException();

    public ValueTask<OutgoingArchive?> NextAsync(CancellationToken ct) => throw new NotSupportedException();

    /// <summary>The carrier has ended: what was not confirmed has failed. Call it once, after the last confirmation.</summary>
    /// <param name="error">Why the carrier ended; null: it carried everything.</param>
    public void Complete(TransferException? error) => throw new NotSupportedException();

    public ValueTask DisposeAsync() => default;
}
