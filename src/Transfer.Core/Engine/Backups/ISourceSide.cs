using Transfer.Engine.Files;

namespace Transfer.Engine.Backups;

/// <summary>The side on which the sources of a job are.</summary>
internal interface ISourceSide
{
    /// <summary>
    /// Removes or moves files that are unchanged; an error or null for each, in order. An absent one needs nothing.
    /// </summary>
    ValueTask<IReadOnlyList<TransferException?>> DisposeAsync(IReadOnlyList<SourceFile> files, CancellationToken ct);
}
