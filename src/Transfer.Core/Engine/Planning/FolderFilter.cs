using Transfer.Engine.Trees;
using Transfer.Filters;

namespace Transfer.Engine.Planning;

/// <summary>A <see cref="TransferFilter"/> at work.</summary>
internal sealed class FolderFilter
{
    private readonly TransferFilter _filter;
    private readonly PathPatterns _patterns;
    private readonly ItemSelection? _only;

    /// <param name="filter">The filter; null: all entries.</param>
    /// <param name="only">The selection within the filter; null: no selection.</param>
    public FolderFilter(TransferFilter? filter, ItemSelection? only = null)
    {
        _only = only;
        _filter = filter ?? new TransferFilter();
        _patterns = new PathPatterns(_filter.Include, _filter.Exclude);
    }

    /// <summary>Whether only included entries take part: which folders have any shows when they are read.</summary>
    public bool IsSelective => _patterns.AreSelective || _only is not null;

    /// <summary>
    /// Returns whether an entry, of a directory that is not excluded itself, takes part; of a directory: whether to read that.
    /// </summary>
    public bool Admits(PlannedDirectory directory, in TreeEntry entry)
    {
        if (_only is not null && !_only.Admits(directory.PathOf(entry.Name), entry.Type == RemoteEntryType.Directory)) return false;
        if (_patterns.IsEmpty) return entry.Type != RemoteEntryType.File || _filter.TakesFacts(entry.Length, entry.Modified);
        var path = directory.PathOf(entry.Name);
        var isDirectory = entry.Type == RemoteEntryType.Directory;
        if (_patterns.Exclude(path, isDirectory)) return false;
        if (isDirectory) return true;
        if (_patterns.AreSelective && !directory.IsIncluded && !_patterns.Include(path, isDirectory)) return false;
        return entry.Type != RemoteEntryType.File || _filter.TakesFacts(entry.Length, entry.Modified);
    }

    /// <summary>Returns whether all entries of a directory are included that are not excluded.</summary>
    public bool Includes(PlannedDirectory directory) =>
        directory.Parent is { } parent
        && (_only is not null && _only.Names(directory.Path) || _patterns.AreSelective
            && (parent.IsIncluded || _patterns.Include(directory.Path, isDirectory: true)));
}
