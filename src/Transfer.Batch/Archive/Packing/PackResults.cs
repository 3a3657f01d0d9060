using System.Collections.Concurrent;
using Transfer.Batch.Archive.Tar;

namespace Transfer.Batch.Archive.Packing;

/// <summary>
/// Counts how items end, each once, and reports them once the caller holds no lock any more, since the application may do anything then.
/// Thread-safe.
/// </summary>
internal sealed class PackResults
{
    private readonly ConcurrentQueue<ItemResult> _untold = [];
    private readonly BatchPackOptions _options;
    private int _calls;
    private volatile bool _hasLeft;

    public PackResults(BatchPackOptions options)
    {
        _options = options;
    }

    public JobTally Tally { get; } = new();

    /// <summary>Whether items were left out because the job was stopped.</summary>
    public bool HasPostponed => _hasLeft;

    /// <summary>Records that the job was stopped, perhaps before the walk has found all items.</summary>
    public void MarkStopped() => _hasLeft = true;

    /// <summary>Leaves an item out if the job is stopped and no part of the item has begun. Returns false for items that go on.</summary>
    public bool TryPostpone(PackItem item)
    {
        if (!_options.Finish.IsCancellationRequested || item.Outcome != PackOutcome.Waiting) return item.Outcome == PackOutcome.Postponed;
        if (item.Source?.TryPostpone() ?? true)
        {
            MarkStopped();
            Unplan(item);
        }
        else if (!item.Source.IsEnded)
        {
            return false;
        }
        item.Outcome = PackOutcome.Postponed;
        return true;
    }

    /// <summary>Removes an item that will not travel from the planned bytes.</summary>
    public void Unplan(PackItem item)
    {
        if (item.Type != TarEntryType.Directory) _options.Progress?.Unplan(item.Source?.Length ?? item.Length);
    }

    /// <summary>Records that a file is about to be packed.</summary>
    public void Taken(string path, SourceStamp stamp)
    {
        if (_options is { TargetIsExamined: true, Journal: { } journal }) journal.Taken(path, stamp);
    }

    /// <summary>The receiver has these files and links, the files as they were packed.</summary>
    public void Done(IReadOnlyList<(PackItem Item, SourceStamp Stamp)> all)
    {
        _options.Journal?.Done(all.Where(one => one.Item.Type == TarEntryType.File).Select(one => (one.Item.Path, one.Stamp)));
        foreach (var (item, stamp) in all) Done(item.Path, stamp, item.Type == TarEntryType.Link);
    }

    /// <summary>Settles a skipped item.</summary>
    public void Skip(string path, SkipReason reason)
    {
        var result = new TransferResult { Skipped = true };
        Tally.Done(ItemAction.Skip, result);
        Queue(new ItemResult { Path = path, Action = ItemAction.Skip, Reason = reason, Result = result });
    }

    public void Fail(string path, TransferException error)
    {
        var item = new ItemResult { Path = path, Error = error };
        if (_options.IsOnlyWay) Log.ItemFailed(_options.Logger, path, error.Error, error.Message);
        Tally.Failed(item);
        Queue(item);
    }

    /// <summary>
    /// Reports to the application all items that have ended since. Of several callers one reports the items of all, and none waits for
    /// another. An exception of the application is thrown here, once: nothing is reported after that.
    /// </summary>
    public void ReportQueued()
    {
        var calls = Interlocked.Increment(ref _calls);
        if (calls > 1) return;
        do
        {
            // An exception leaves the calls uncounted, so that no later call reports.
            while (_untold.TryDequeue(out var item)) _options.Items?.Report(item);
            calls = Interlocked.Add(ref _calls, -calls);
        }
        while (calls > 0);
    }

    private void Done(string path, SourceStamp stamp, bool isLink)
    {
        var result = new TransferResult { Bytes = isLink ? 0 : stamp.Length };
        _options.Finished?.Invoke(path, isLink ? default : stamp);
        Tally.Done(ItemAction.Transfer, result);
        _options.Progress?.FileDone();
        Queue(new ItemResult { Path = path, Type = isLink ? RemoteEntryType.Link : RemoteEntryType.File, Result = result });
    }

    private void Queue(ItemResult item)
    {
        if (_options.Items is not null) _untold.Enqueue(item);
    }
}
