using System.Runtime.CompilerServices;
using Transfer.Batch.Archive.Tar;

namespace Transfer.Batch.Archive.Packing;

/// <summary>Cuts the items to be packed into archives, and large files into slices.</summary>
internal sealed class ArchivePlanner
{
    private readonly BatchPackOptions _options;
    private long _lastFile;

    public ArchivePlanner(BatchPackOptions options)
    {
        _options = options;
    }

    public async IAsyncEnumerable<ArchivePlan> PlanAsync(IAsyncEnumerable<PackItem> items, [EnumeratorCancellation] CancellationToken ct)
    {
        var plan = new ArchivePlan();
        await foreach (var item in items.WithCancellation(ct).ConfigureAwait(false))
        {
            // Folders are not counted when they are there, either.
            if (item.Type != TarEntryType.Directory) _options.Progress?.Plan(item.Length);
            foreach (var piece in Slices(item))
            {
                if (plan.IsFullFor(piece, _options))
                {
                    yield return plan;
                    plan = new ArchivePlan();
                }
                plan.Add(piece);
            }
        }
        if (plan.Items.Count > 0) yield return plan;
    }

    /// <summary>Returns the item, or the slices of a large file.</summary>
    public IEnumerable<PackItem> Slices(PackItem item)
    {
        if (item.Type != TarEntryType.File || item.Delta is not null || item.Length <= _options.ArchiveBytes)
        {
            yield return item;
            yield break;
        }
        var count = (int)((item.Length + _options.ArchiveBytes - 1) / _options.ArchiveBytes);
        var source = new SlicedSource(Interlocked.Increment(ref _lastFile), item.Length, count);
        for (long offset = 0; offset < item.Length; offset += _options.ArchiveBytes)
        {
            yield return new PackItem
            {
                Path = item.Path,
                Type = item.Type,
                Length = Math.Min(_options.ArchiveBytes, item.Length - offset),
                ModifiedTicks = item.ModifiedTicks,
                Source = source,
                Offset = offset,
                IsSecondTry = item.IsSecondTry,
            };
        }
    }
}
