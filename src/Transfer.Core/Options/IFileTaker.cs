namespace Transfer.Companions;

/// <summary>Takes files over from a part (<see cref="JobPart.Taker"/>), each as soon as the walk has found it: the companion moves and
/// reports these files, and the part all others. Folders, links, filters and the rules for existing files stay the part's. Thread-safe.
/// </summary>
public interface IFileTaker
{
    /// <summary>Whether nearly all files will be taken, so that no sessions are opened ahead for them.</summary>
    bool TakesMost { get; }

    /// <summary>Offers a file of the source that is to be sent. The walk waits for the answer, and holds no session meanwhile.</summary>
    /// <param name="path">The path relative to the directory, with forward slashes.</param>
    /// <param name="length">The length in bytes; null: not known exactly.</param>
    /// <param name="modified">The time, as exact as the source lists it; null: not known.</param>
    /// <param name="cancellationToken">Fires when the part ends.</param>
    /// <returns>Whether the file is taken.</returns>
    ValueTask<bool> TakeAsync(string path, long? length, DateTimeOffset? modified, CancellationToken cancellationToken);

    /// <summary>Called when the walk has offered all files.</summary>
    void Complete();
}
