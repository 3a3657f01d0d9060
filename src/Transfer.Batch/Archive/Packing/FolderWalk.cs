using System.Runtime.CompilerServices;
using Transfer.Batch.Archive.Tar;
using Transfer.Local;

namespace Transfer.Batch.Archive.Packing;

/// <summary>The items of a directory to be packed, one after the other.</summary>
internal sealed class FolderWalk
{
    private readonly LocalTreeReader _tree;
    private readonly BatchPackOptions _options;
    private readonly PackResults _results;

    /// <param name="tree">The directory.</param>
    /// <param name="options">The options that select items.</param>
    /// <param name="results">Receives the skipped and the unreadable items.</param>
    public FolderWalk(LocalTreeReader tree, BatchPackOptions options, PackResults results)
    {
        _tree = tree;
        _options = options;
        _results = results;
    }

    /// <summary>Returns all items to be packed; a directory comes before its entries.</summary>
    /// <exception cref="TransferException">The directory itself cannot be read.</exception>
    public async IAsyncEnumerable<PackItem> ItemsAsync([EnumeratorCancellation] CancellationToken ct)
    {
        var options = new LocalTreeOptions
        {
            Filter = _options.Filter,
            Only = _options.Only,
            Without = _options.Without,
            Links = _options.Links,
            MaxListingBytes = _options.MaxListingBytes,
            IsFinished = _options is { TargetIsExamined: false, Journal: { Continues: true } journal }
                ? item => IsFinished(journal, item) : null,
        };
        await foreach (var item in _tree.ReadAsync(options, ct).ConfigureAwait(false))
        {
            if (_options.LostFolders is { } others && TopOfLineEnd(item.Path) is { } refused) others.Report(refused);
            else if (item.State == LocalTreeItemState.Found) yield return Pack(item);
            else End(item);
        }
    }

    // The part of the path up to the first name with CR or LF; null: there is none.
    private static string? TopOfLineEnd(string path)
    {
        var at = path.AsSpan().IndexOfAny('\r', '\n');
        if (at < 0) return null;
        var end = path.IndexOf('/', at);
        return end < 0 ? path : path[..end];
    }

    private static PackItem Pack(in LocalTreeItem item) => new()
    {
        Path = item.Path,
        Type = item.Type switch
        {
            RemoteEntryType.Directory => TarEntryType.Directory,
            RemoteEntryType.Link => TarEntryType.Link,
            _ => TarEntryType.File,
        },
        Length = item.Length ?? 0,
        ModifiedTicks = item.Modified?.UtcTicks ?? 0,
        LinkText = item.LinkTarget ?? string.Empty,
    };

    private static bool IsFinished(ItemJournal journal, in LocalTreeItem item) =>
        SourceStamp.Of(item.Length, item.Modified) is { IsKnown: true } stamp && journal.FinishedAs(item.Path) == stamp;

    private static SkipReason ReasonOf(in LocalTreeItem item) => item switch
    {
        { State: LocalTreeItemState.Finished } => SkipReason.Finished,
        { Type: RemoteEntryType.Link } => SkipReason.Link,
        { Type: RemoteEntryType.Other } => SkipReason.Special,
        _ => SkipReason.Reserved,
    };

    private void End(in LocalTreeItem item)
    {
        if (item.State == LocalTreeItemState.LeftOut) _options.Finished?.Invoke(item.Path, default);
        if (item.Error is { } error) _results.Fail(item.Path, error);
        else _results.Skip(item.Path, ReasonOf(item));
        _results.ReportQueued();
    }
}
