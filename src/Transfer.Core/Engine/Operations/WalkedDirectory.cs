using Transfer.Engine.Trees;

namespace Transfer.Engine.Operations;

/// <summary>A directory of a recursive listing, as long as one below waits.</summary>
/// <param name="parent">The directory above; null: the first.</param>
internal sealed class WalkedDirectory(WalkedDirectory? parent) : IListedDirectory
{
    private readonly WalkedDirectory? _parent = parent;

    IListedDirectory? IListedDirectory.Above => _parent;

    /// <summary>The sign of the listing, once complete.</summary>
    public ListingSign Sign { get; set; }

    /// <summary>Whether the directory seems to be a link to one above, so that none in it is listed.</summary>
    public bool IsLoop { get; set; }

    /// <summary>Whether the directory is in such a link.</summary>
    public bool IsBehindLoop => _parent is { IsLoop: true };
}
