using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;
using Transfer.Local.Trees;

namespace Transfer.Local;

/// <summary>
/// Reads a local directory with all content, as transfers of directories do: the same filters, names, links and bounds. Directories are
/// read one after the other and their entries during the enumeration, so that any number of files is possible. Thread-safe.
/// </summary>
public sealed class LocalTreeReader
{
    private readonly LocalTree _tree;
    private readonly ILogger _logger;

    /// <summary>Creates a reader; nothing is read yet.</summary>
    /// <param name="root">The directory.</param>
    /// <param name="logger">Receives notices of links that lead round in circles; null: none.</param>
    public LocalTreeReader(string root, ILogger? logger = null)
    {
        ArgumentException.ThrowIfNullOrEmpty(root);
        _logger = logger ?? NullLogger.Instance;
        _tree = new LocalTree(root, _logger);
    }

    /// <summary>The whole path, on this system, of an item of the directory.</summary>
    /// <param name="relative">The item's path relative to the directory, with forward slashes; empty for the directory.</param>
    public string PathOf(string relative)
    {
        ArgumentNullException.ThrowIfNull(relative);
        return _tree.PathOf(relative);
    }

    /// <summary>
    /// Reads the items: a directory stands before its content, and the root is not among the items. Where the filter includes only some, a
    /// directory stands before the first included item inside, and one without any is left out, unless the directory is included itself.
    /// </summary>
    /// <param name="options">The items to read, and the bounds; null: the defaults.</param>
    /// <param name="cancellationToken">Cancels the reading.</param>
    /// <exception cref="TransferException">The directory itself cannot be read. Items that cannot be read are
    /// <see cref="LocalTreeItemState.Failed"/>, and do not throw.</exception>
    public IAsyncEnumerable<LocalTreeItem> ReadAsync(LocalTreeOptions? options = null, CancellationToken cancellationToken = default)
    {
        options ??= new LocalTreeOptions();
        ArgumentOutOfRangeException.ThrowIfNegative(options.MaxFollowedDirectories,
            $"{nameof(options)}.{nameof(options.MaxFollowedDirectories)}");
        ArgumentOutOfRangeException.ThrowIfLessThan(options.MaxListingBytes, 1, $"{nameof(options)}.{nameof(options.MaxListingBytes)}");
        return new LocalTreeWalk(_tree, options, _logger).ItemsAsync(cancellationToken);
    }
}
