using Transfer.Names;

namespace Transfer.Engine.Files;

/// <summary>Removes or moves the sources of files that have arrived.</summary>
internal interface ISourceDisposal
{
    /// <summary>Takes the source of a file that has arrived. Returns at once.</summary>
    void Add(ItemPath item, SourceFile source);

    /// <summary>Waits until all sources are removed, moved, or reported to be left.</summary>
    Task FinishAsync();
}
