using System.Runtime.CompilerServices;
using Microsoft.Extensions.Logging;
using Transfer.Diagnostics;
using Transfer.Engine.Planning;
using Transfer.Engine.Trees;
using Transfer.Filters;
using Transfer.Listings;

namespace Transfer.Local.Trees;

/// <summary>One reading of a <see cref="LocalTreeReader"/>.</summary>
internal sealed class LocalTreeWalk
{
    private readonly LocalTree _tree;
    private readonly LocalTreeOptions _options;
    private readonly ILogger _logger;
    private readonly FolderFilter _filter;
    private readonly WalkBounds _bounds;
    private readonly Stack<PlannedDirectory> _waiting = new();
    private readonly Queue<LocalTreeItem> _ready = new();

    public LocalTreeWalk(LocalTree tree, LocalTreeOptions options, ILogger logger)
    {
        _tree = tree;
        _options = options;
        _logger = logger;
        _filter = new FolderFilter(options.Filter, options.Links, options.Only is { } only ? new ItemSelection(only) : null,
            options.Without);
        _bounds = new WalkBounds(new ListingBudget(options.MaxListingBytes).Open(tree.PathOf(string.Empty)),
            options.MaxFollowedDirectories);
    }

    public async IAsyncEnumerable<LocalTreeItem> ItemsAsync([EnumeratorCancellation] CancellationToken ct)
    {
        for (var directory = new PlannedDirectory(null, string.Empty) { ExistsAtTarget = true }; directory is not null; directory = Next())
        {
            if (!_filter.IsSelective || directory.IsIncluded && !_filter.IsPart) Report(directory);
            using var entries = Open(directory);
            while (entries is not null && Next(directory, entries) is { } entry)
            {
                ct.ThrowIfCancellationRequested();
                await VisitAsync(directory, entry, ct).ConfigureAwait(false);
                while (_ready.TryDequeue(out var item)) yield return item;
            }
            while (_ready.TryDequeue(out var last)) yield return last;
        }
    }

    private PlannedDirectory? Next()
    {
        if (!_waiting.TryPop(out var directory)) return null;
        _bounds.Return(directory);
        return directory;
    }

    private async ValueTask VisitAsync(PlannedDirectory directory, TreeEntry entry, CancellationToken ct)
    {
        if (!_filter.Admits(directory, entry)) return;
        string? real = null;
        if (entry.Type == RemoteEntryType.Link && _options.Links == LinkHandling.Follow)
        {
            var end = (await _tree.FollowAsync(directory.Path, [entry], ct).ConfigureAwait(false))[0];
            if (end.Error is { } error) Fail(directory.PathOf(entry.Name), entry.Type, error);
            else if (end.Entry is null) LeaveOut(directory.PathOf(entry.Name), entry.Type);
            if (end.Entry is not { } found || !_filter.Admits(directory, found)) return;
            (entry, real) = (found, end.RealPath);
        }
        if (entry.Type == RemoteEntryType.Directory) Enter(new PlannedDirectory(directory, entry.Name, real), directory, entry.Name);
        else Take(directory, entry);
    }

    private void Enter(PlannedDirectory child, PlannedDirectory parent, string name)
    {
        child.IsIncluded = _filter.Includes(child);
        var isLoop = child.IsFollowed && parent.IsInside(child.RealPath);
        if (isLoop) Log.LinkLoop(_logger, child.Path);
        if (isLoop || TemporaryNames.IsTemporary(name)) LeaveOut(child.Path, RemoteEntryType.Directory);
        else if ((_bounds.RefuseFollowed(child) ?? _bounds.Take(parent, child)) is { } error)
            Fail(child.Path, RemoteEntryType.Directory, error);
        else _waiting.Push(child);
    }

    private void Take(PlannedDirectory directory, in TreeEntry entry)
    {
        var isLink = entry.Type == RemoteEntryType.Link && _options.Links == LinkHandling.Copy;
        var item = new LocalTreeItem
        {
            Path = directory.PathOf(entry.Name),
            Type = entry.Type,
            Length = entry.Length,
            Modified = entry.Modified,
            LinkTarget = isLink ? entry.LinkTarget : null,
        };
        if (!isLink && entry.Type != RemoteEntryType.File || TemporaryNames.IsTemporary(entry.Name))
        {
            LeaveOut(item.Path, item.Type);
            return;
        }
        var isFinished = _options.IsFinished?.Invoke(item) == true;
        if (!isFinished) Report(directory);
        _ready.Enqueue(isFinished ? item with { State = LocalTreeItemState.Finished } : item);
    }

    // Reports the directory and those above that were not reported yet, from the top down.
    private void Report(PlannedDirectory directory)
    {
        if (directory.ExistsAtTarget) return;
        Report(directory.Parent!);
        directory.ExistsAtTarget = true;
        _ready.Enqueue(new LocalTreeItem { Path = directory.Path, Type = RemoteEntryType.Directory });
    }

    private IEnumerator<TreeEntry>? Open(PlannedDirectory directory)
    {
        try
        {
            return _tree.Enumerate(directory.Path).GetEnumerator();
        }
        catch (Exception e) when (LocalErrors.IsLocal(e))
        {
            Fail(directory, e);
            return null;
        }
    }

    private TreeEntry? Next(PlannedDirectory directory, IEnumerator<TreeEntry> entries)
    {
        try
        {
            return entries.MoveNext() ? entries.Current : null;
        }
        catch (Exception e) when (LocalErrors.IsLocal(e))
        {
            Fail(directory, e);
            return null;
        }
    }

    private void Fail(PlannedDirectory directory, Exception exception)
    {
        var error = LocalErrors.Map(exception, "Cannot read the folder", _tree.PathOf(directory.Path));
        if (directory.Parent is null) throw error;
        Fail(directory.Path, RemoteEntryType.Directory, error);
    }

    private void Fail(string path, RemoteEntryType type, TransferException error) =>
        _ready.Enqueue(new LocalTreeItem { Path = path, Type = type, State = LocalTreeItemState.Failed, Error = error });

    private void LeaveOut(string path, RemoteEntryType type) =>
        _ready.Enqueue(new LocalTreeItem { Path = path, Type = type, State = LocalTreeItemState.LeftOut });
}
