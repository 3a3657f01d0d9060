using Transfer.Names;

namespace Transfer.Engine.Files;

/// <summary>Removes or moves the sources of files that have arrived.</summary>
internal interface ISourceDisposal
{
    /// <summary>Takes the source of a file that has arrived. Returns at once.</summary>
    /// <param name="item">The item.</param>
    /// <param name="source">The source.</param>
    /// <param name="isUnseen">Whether no look found the file at the target: the source stays, and is reported.</param>
    void Add(ItemPath item, SourceFile source, bool isUnseen = false);

    /// <summary>
    /// Proves that a source is in another folder than its copy. Null: proved; else why not, <see cref="TransferError.Denied"/>: the folders
    /// are one.
    /// </summary>
    /// <param name="source">The source.</param>
    /// <param name="ct">Cancels.</param>
    Task<TransferException?> ProveApartAsync(SourceFile source, CancellationToken ct);

    /// <summary>Waits until all sources are removed, moved, or reported to be left.</summary>
    Task FinishAsync();
}
