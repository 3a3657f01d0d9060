using Transfer.Contents;
using Transfer.Listings;
using Transfer.Names;
using Transfer.Sessions;

namespace Transfer.Engine.Trees;

/// <summary>
/// The reading operations of both sides of a folder job. Paths are relative to the side's own folder, with forward slashes.
/// </summary>
internal interface IFolderTree
{
    /// <summary>The finest step of the modification times in listings.</summary>
    TimeSpan TimePrecision { get; }

    /// <summary>The hash algorithms, by common names, that this side computes without moving files.</summary>
    IReadOnlyList<string> Hashes { get; }

    /// <summary>The number of directories that are listed at the same time without a further session; 1: one.</summary>
    int ListsTogether { get; }

    /// <summary>Whether so much of the memory for listings is in use that only few directories should be listed at the same time.</summary>
    bool IsShortOfRoom { get; }

    /// <summary>Reads one directory to the end. No session is held on return.</summary>
    /// <exception cref="TransferException">The directory cannot be read.</exception>
    ValueTask<TreeListing> ListAsync(string directory, CancellationToken ct);

    /// <summary>Looks at names of a directory one by one, which gives the most exact times. One look a name, in order.</summary>
    /// <exception cref="TransferException">This side cannot look at names at all.</exception>
    ValueTask<IReadOnlyList<TreeLook>> LookAsync(string directory, IReadOnlyList<string> names, CancellationToken ct);

    /// <summary>Reads the texts of links of one directory; one for each, in order.</summary>
    /// <exception cref="TransferException">This side cannot read links at all.</exception>
    ValueTask<IReadOnlyList<LinkText>> ReadLinksAsync(string directory, IReadOnlyList<TreeEntry> links, CancellationToken ct);

    /// <summary>Hashes a file; reads the whole file if need be.</summary>
    /// <param name="path">The path relative to the folder.</param>
    /// <param name="algorithm">One of <see cref="FileHash.Algorithms"/>.</param>
    /// <param name="ct">Cancels.</param>
    /// <exception cref="TransferException">The file cannot be read.</exception>
    ValueTask<FileHash> HashAsync(string path, string algorithm, CancellationToken ct);

    /// <summary>Hashes a file in place; null: a hash would need the content to be moved.</summary>
    /// <inheritdoc cref="HashAsync"/>
    ValueTask<string?> TryHashAsync(string path, string algorithm, CancellationToken ct);

    /// <summary>Reads a file from an offset to the end.</summary>
    /// <exception cref="TransferException">The file cannot be read, or not from that offset.</exception>
    ValueTask<Stream> OpenAsync(string path, long offset, CancellationToken ct);

    /// <summary>Distinguishes directories from links to directories; one proof an entry, in order.</summary>
    /// <param name="directory">The parent directory, relative to the folder.</param>
    /// <param name="entries">The entries that a listing calls directories.</param>
    /// <param name="ct">Cancels.</param>
    /// <exception cref="TransferException">No proof can be had now.</exception>
    ValueTask<IReadOnlyList<DirectoryProof>> ProveAsync(string directory, IReadOnlyList<TreeEntry> entries, CancellationToken ct);
}
