using System.Runtime.CompilerServices;
using Transfer.Batch.Archive.Tar;
using Transfer.Engine;
using Transfer.Engine.Filters;
using Transfer.Engine.Journal;
using Transfer.Local;

namespace Transfer.Batch.Archive.Packing;

/// <summary>Walks a folder, one directory after the other, as far as somebody asks for more.</summary>
internal sealed class FolderWalk
{
    private readonly LocalTree _tree;
    private readonly BatchPackOptions _options;
    private readonly PackResults _results;
    private readonly FolderFilter _filter;

    /// <param name="tree">The folder.</param>
    /// <param name="options">What of it is meant.</param>
    /// <param name="results">Told of what is left out and of what cannot be read.</param>
    public FolderWalk(LocalTree tree, BatchPackOptions options, PackResults results)
    {
        _tree = tree;
        _options = options;
        _results = results;
        _filter = new FolderFilter(options.Filter, options.Only);
    }

    /// <summary>Everything that is to be packed; a directory stands before what is in it.</summary>
    /// <exception cref="TransferException">The folder itself cannot be read.</exception>
    public async IAsyncEnumerable<PackItem> ItemsAsync([EnumeratorCancellation] CancellationToken ct)
    {
        var pending = new Stack<PlannedDirectory>();
        pending.Push(new PlannedDirectory(null, string.Empty) { IsMade = true });
        while (pending.TryPop(out var directory))
        {
            if (!_filter.IsSelective || directory.IsIncluded)
            {
                foreach (var above in Unmade(directory)) yield return above;
            }
            using var entries = Open(directory);
            while (entries is not null && Next(directory, entries) is { } entry)
            {
                ct.ThrowIfCancellationRequested();
                if (!_filter.Admits(directory, entry)) continue;
                var found = entry.Type == RemoteEntryType.Link && _options.Links == Links.Follow ? await FollowAsync(directory, entry, ct).ConfigureAwait(false) : new Found(entry, null);
                if (found.Entry is not { } real) continue;
                if (real.Type == RemoteEntryType.Directory) Enter(directory, real.Name, found.RealPath, pending);
                if (Take(directory, real) is not { } item) continue;
                foreach (var above in Unmade(directory)) yield return above;
                yield return item;
            }
        }
    }

    // The directory and those above it that no archive has yet, from the top down.
    private static List<PackItem> Unmade(PlannedDirectory directory)
    {
        if (directory.IsMade) return [];
        var items = Unmade(directory.Parent!);
        directory.IsMade = true;
        items.Add(new PackItem { Path = directory.Path, Type = TarEntryType.Directory });
        return items;
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
        Fail(directory.Path, error);
    }

    private void Enter(PlannedDirectory parent, string name, string? real, Stack<PlannedDirectory> pending)
    {
        var child = new PlannedDirectory(parent, name, real);
        child.IsIncluded = _filter.Includes(child);
        // What a followed link leads to may be where the link is.
        // Nor are somebody's unfinished folders.
        if (TemporaryNames.IsTemporary(name) || child.IsFollowed && parent.IsInside(child.RealPath)) Skip(child.Path);
        else pending.Push(child);
    }

    private async ValueTask<Found> FollowAsync(PlannedDirectory directory, TreeEntry link, CancellationToken ct)
    {
        var end = (await _tree.FollowAsync(directory.Path, [link], ct).ConfigureAwait(false))[0];
        if (end.Error is { } error) Fail(directory.PathOf(link.Name), error);
        else if (end.Entry is null) Skip(directory.PathOf(link.Name));
        else if (_filter.Admits(directory, end.Entry.Value)) return new Found(end.Entry, end.RealPath);
        return default;
    }

    private PackItem? Take(PlannedDirectory directory, in TreeEntry entry)
    {
        if (entry.Type == RemoteEntryType.Directory) return null;
        var path = directory.PathOf(entry.Name);
        var isLink = entry.Type == RemoteEntryType.Link && _options.Links == Links.Copy;
        // Somebody's unfinished files are nobody's.
        var isLeftOut = !isLink && entry.Type != RemoteEntryType.File || TemporaryNames.IsTemporary(entry.Name);
        if (isLeftOut || IsFinished(path, entry))
        {
            if (isLeftOut) _options.Finished?.Invoke(path, default);
            Skip(path);
            return null;
        }
        return new PackItem
        {
            Path = path,
            Type = isLink ? TarEntryType.Link : TarEntryType.File,
            Length = isLink ? 0 : Math.Max(0, entry.RawLength),
            ModifiedTicks = entry.ModifiedTicks,
            LinkText = isLink ? entry.LinkTarget! : string.Empty,
        };
    }

    private bool IsFinished(string path, in TreeEntry entry) =>
        _options is { IsLookedAt: false, Journal: { Continues: true } journal }
        && SourceStamp.Of(entry.Length, entry.Modified) is { IsKnown: true } stamp && journal.FinishedAs(path) == stamp;

    private readonly record struct Found(TreeEntry? Entry, string? RealPath);

    private void Skip(string path)
    {
        _results.Skip(path);
        _results.Tell();
    }

    private void Fail(string path, TransferException error)
    {
        _results.Fail(path, error);
        _results.Tell();
    }
}
