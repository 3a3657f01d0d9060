using Transfer.Engine.Trees;
using Transfer.Filters;

namespace Transfer.Engine.Planning;

/// <summary>A <see cref="TransferFilter"/> at work.</summary>
internal sealed class FolderFilter
{
    private readonly GlobPattern[] _include;
    private readonly GlobPattern[] _exclude;
    private readonly TransferFilter _filter;
    private readonly ItemSelection? _only;

    /// <param name="filter">What is meant; null: everything.</param>
    /// <param name="only">What alone of that is meant; null: all of it.</param>
    public FolderFilter(TransferFilter? filter, ItemSelection? only = null)
    {
        _only = only;
        _filter = filter ?? new TransferFilter();
        _include = [.. _filter.Include.Select(pattern => new GlobPattern(pattern))];
        _exclude = [.. _filter.Exclude.Select(pattern => new GlobPattern(pattern))];
    }

    /// <summary>Only what is included is meant: which folders have any of it shows when they are read.</summary>
    public bool IsSelective => _include.Length > 0 || _only is not null;

    /// <summary>True when an entry of a directory that is not excluded itself is meant; a directory: when it is to be read.</summary>
    public bool Admits(PlannedDirectory directory, in TreeEntry entry)
    {
        if (_only is not null && !_only.Admits(directory.PathOf(entry.Name), entry.Type == RemoteEntryType.Directory)) return false;
        if (_include.Length == 0 && _exclude.Length == 0) return entry.Type != RemoteEntryType.File || AdmitsFile(entry);
        var path = directory.PathOf(entry.Name);
        var isDirectory = entry.Type == RemoteEntryType.Directory;
        if (Matches(_exclude, path, isDirectory)) return false;
        if (isDirectory) return true;
        if (_include.Length > 0 && !directory.IsIncluded && !Matches(_include, path, isDirectory)) return false;
        return entry.Type != RemoteEntryType.File || AdmitsFile(entry);
    }

    /// <summary>True when all of a directory is included that is not excluded.</summary>
    public bool Includes(PlannedDirectory directory) =>
        directory.Parent is { } parent
        && (_only is not null && _only.Names(directory.Path) || _include.Length > 0 && (parent.IsIncluded || Matches(_include, directory.Path, isDirectory: true)));

    private bool AdmitsFile(in TreeEntry file)
    {
        if (file.Length is { } length && (length < _filter.MinSize || length > _filter.MaxSize)) return false;
        return file.Modified is not { } time || !(time < _filter.NewerThan) && !(time >= _filter.OlderThan);
    }

    private static bool Matches(GlobPattern[] patterns, string path, bool isDirectory)
    {
        foreach (var pattern in patterns)
        {
            if (pattern.IsMatch(path, isDirectory)) return true;
        }
        return false;
    }
}
