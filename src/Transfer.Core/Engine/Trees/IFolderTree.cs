using Transfer.Contents;
using Transfer.Listings;
using Transfer.Names;

namespace Transfer.Engine.Trees;

/// <summary>What both sides of a folder job can be asked. Paths are relative to the side's own folder, with forward slashes.</summary>
internal interface IFolderTree
{
    /// <summary>The finest step of the modification times in its listings.</summary>
    TimeSpan TimePrecision { get; }

    /// <summary>Hash algorithms that it computes without its files being moved, by their common names.</summary>
    IReadOnlyList<string> Hashes { get; }

    /// <summary>Reads one directory to its end. No session is held when it returns.</summary>
    /// <exception cref="TransferException">It cannot be read.</exception>
    ValueTask<TreeListing> ListAsync(string directory, CancellationToken ct);

    /// <summary>Looks at names of a directory one by one, which gives times as exactly as they are known. One look a name, in order.</summary>
    /// <exception cref="TransferException">That can't be done here at all.</exception>
    ValueTask<IReadOnlyList<TreeLook>> LookAsync(string directory, IReadOnlyList<string> names, CancellationToken ct);

    /// <summary>Reads the texts of links of one directory; one for each, in order.</summary>
    /// <exception cref="TransferException">That can't be done here at all.</exception>
    ValueTask<IReadOnlyList<LinkText>> ReadLinksAsync(string directory, IReadOnlyList<TreeEntry> links, CancellationToken ct);

    /// <summary>Hashes a file; reads it as a whole if need be.</summary>
    /// <param name="path">Relative to the folder.</param>
    /// <param name="algorithm">One of <see cref="FileHash.Algorithms"/>.</param>
    /// <param name="ct">Cancels.</param>
    /// <exception cref="TransferException">It cannot be read.</exception>
    ValueTask<FileHash> HashAsync(string path, string algorithm, CancellationToken ct);

    /// <summary>Hashes a file where it is; null: its content would have to be moved for that.</summary>
    /// <inheritdoc cref="HashAsync"/>
    ValueTask<string?> TryHashAsync(string path, string algorithm, CancellationToken ct);

    /// <summary>Reads a file from an offset to its end.</summary>
    /// <exception cref="TransferException">It cannot be read, or not from there.</exception>
    ValueTask<Stream> OpenAsync(string path, long offset, CancellationToken ct);
}
