using Transfer.Engine;
using Transfer.Engine.Journal;

namespace Transfer.Batch.Archive.Packing;

/// <summary>Tells and counts how items end, each once. Thread-safe.</summary>
internal sealed class PackResults
{
    private readonly BatchPackOptions _options;

    public PackResults(BatchPackOptions options)
    {
        _options = options;
    }

    public JobTally Tally { get; } = new();

    /// <summary>The receiver has it.</summary>
    public void Done(string path, SourceStamp stamp, bool isLink)
    {
        var result = new TransferResult { Bytes = isLink ? 0 : stamp.Length };
        if (!isLink) _options.Journal?.Done(NameKey.Of(path), stamp);
        Tally.Done(ItemAction.Transfer, result);
        _options.Progress?.FileDone();
        _options.Items?.Report(new ItemResult { Path = path, Type = isLink ? RemoteEntryType.Link : RemoteEntryType.File, Result = result });
    }

    /// <summary>It is left out.</summary>
    public void Skip(string path)
    {
        Tally.Done(ItemAction.Skip, new TransferResult());
        _options.Items?.Report(new ItemResult { Path = path, Action = ItemAction.Skip });
    }

    public void Fail(string path, TransferException error)
    {
        var item = new ItemResult { Path = path, Error = error };
        Tally.Failed(item);
        _options.Items?.Report(item);
    }
}
