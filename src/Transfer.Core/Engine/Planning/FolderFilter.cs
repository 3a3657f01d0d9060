using Transfer.Engine.Trees;
using Transfer.Filters;

namespace Transfer.Engine.Planning;

/// <summary>A <see cref="TransferFilter"/> at work.</summary>
internal sealed class FolderFilter
{
    private readonly TransferFilter _filter;
    private readonly PathPatterns _patterns;
    private readonly ItemSelection? _only;
    private readonly IReadOnlySet<string>? _without;
    private readonly bool _follows;
    private readonly bool _compares;

    /// <param name="filter">The filter; null: all entries.</param>
    /// <param name="links">The handling of links: one that is followed takes part as the entry it leads to.</param>
    /// <param name="only">The selection within the filter; null: no selection.</param>
    /// <param name="without">The paths of entries that take no part; null: none.</param>
    /// <param name="compares">Whether files of both sides are compared, in <see cref="TransferShard.Final"/> too.</param>
    public FolderFilter(TransferFilter? filter, LinkHandling links, ItemSelection? only = null, IReadOnlySet<string>? without = null,
        bool compares = false)
    {
        (_follows, _compares) = (links == LinkHandling.Follow, compares);
        (_only, _without) = (only, without);
        _filter = filter ?? new TransferFilter();
        _patterns = new PathPatterns(_filter.Include, _filter.Exclude);
    }

    /// <summary>Whether only included entries take part: which folders have any shows when they are read.</summary>
    public bool IsSelective => _patterns.AreSelective || _only is not null || IsPart;

    /// <summary>Whether the job is one of several parts.</summary>
    public bool IsPart => _filter.Shard is { IsFinal: false };

    /// <summary>Whether the job is the last phase after several parts.</summary>
    public bool IsFinal => _filter.Shard is { IsFinal: true };

    /// <summary>
    /// Returns whether an entry, of a directory that is not excluded itself, takes part; of a directory: whether to read that.
    /// </summary>
    public bool Admits(PlannedDirectory directory, in TreeEntry entry)
    {
        if (_only is not null && !_only.Admits(directory.PathOf(entry.Name), MayBeEntered(entry))) return false;
        if (_without is not null && _without.Contains(directory.PathOf(entry.Name))) return false;
        if (_filter.Shard is { } shard && !IsOf(shard, directory, entry)) return false;
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

    private bool IsOf(TransferShard shard, PlannedDirectory directory, in TreeEntry entry)
    {
        var path = directory.PathOf(entry.Name);
        if (MayBeEntered(entry)) return shard.Enters(path);
        return shard.IsFinal ? _compares : shard.Takes(path);
    }

    private bool MayBeEntered(in TreeEntry entry) =>
        entry.Type == RemoteEntryType.Directory || entry.Type == RemoteEntryType.Link && _follows;
}
