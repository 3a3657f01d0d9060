using System.Threading.Channels;
using Transfer.Batch.Archive.Tar;
using Transfer.Local;

namespace Transfer.Batch.Archive.Packing;

/// <summary>Walks a folder and plans the archives, a few ahead of the carrier.</summary>
internal sealed class PlannedWalk : IAsyncDisposable
{
    // Enough that no lane waits for the walk, and little to remember.
    private const int PlansAhead = 4;

    private readonly Channel<ArchivePlan> _plans =
        Channel.CreateBounded<ArchivePlan>(new BoundedChannelOptions(PlansAhead) { SingleWriter = true });
    private readonly CancellationTokenSource _stop = new();
    private readonly LocalTreeReader _tree;
    private readonly BatchPackOptions _options;
    private readonly ArchivePlanner _planner;
    private readonly PackResults _results;

    private PlannedWalk(LocalTreeReader tree, BatchPackOptions options, ArchivePlanner planner, PackResults results)
    {
        _tree = tree;
        _options = options;
        _planner = planner;
        _results = results;
        Ended = Task.Run(RunAsync);
    }

    /// <summary>The planned archives that are not taken yet. Completed with the walk.</summary>
    public ChannelReader<ArchivePlan> Plans => _plans.Reader;

    /// <summary>The end of the walk; fails with the error that stopped the walk.</summary>
    public Task Ended { get; }

    /// <param name="tree">The folder.</param>
    /// <param name="options">Which items are packed, and how large archives are.</param>
    /// <param name="planner">Cuts the items into archives.</param>
    /// <param name="results">Receives the items left out.</param>
    public static PlannedWalk Begin(LocalTreeReader tree, BatchPackOptions options, ArchivePlanner planner, PackResults results) =>
        new(tree, options, planner, results);

    /// <summary>Ends the walk. <see cref="Ended"/> keeps an earlier failure.</summary>
    public async ValueTask StopAsync()
    {
        await _stop.CancelAsync().ConfigureAwait(false);
        await Ended.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
    }

    public async ValueTask DisposeAsync()
    {
        await StopAsync().ConfigureAwait(false);
        _stop.Dispose();
    }

    private async Task RunAsync()
    {
        try
        {
            using var ending = CancellationTokenSource.CreateLinkedTokenSource(_stop.Token, _options.Finish);
            var items = new FolderWalk(_tree, _options, _results).ItemsAsync(ending.Token);
            using var deltas = _options.Bases is { } bases ? new DeltaPlanner(_tree, bases, _options) : null;
            if (deltas is not null) items = deltas.PlanAsync(items, ending.Token);
            await foreach (var plan in _planner.PlanAsync(Smaller(UntilFinish(items)), _stop.Token).ConfigureAwait(false))
            {
                if (plan.StepBytes > 0)
                    plan.Steps = await _options.Buffers.Steps.TakeAsync(plan.StepBytes, _stop.Token).ConfigureAwait(false);
                await _plans.Writer.WriteAsync(plan, _stop.Token).ConfigureAwait(false);
            }
            if (!_results.HasPostponed) _options.Progress?.PlanComplete();
        }
        finally
        {
            _plans.Writer.TryComplete();
        }
    }

    // The remaining slices of the current file follow all the same.
    private async IAsyncEnumerable<PackItem> UntilFinish(IAsyncEnumerable<PackItem> items)
    {
        var all = items.GetAsyncEnumerator(CancellationToken.None);
        await using var end = all.ConfigureAwait(false);
        while (await MoveNextAsync(all).ConfigureAwait(false)) yield return all.Current;
    }

    private async ValueTask<bool> MoveNextAsync(IAsyncEnumerator<PackItem> items)
    {
        try
        {
            return await items.MoveNextAsync().ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (_options.Finish.IsCancellationRequested && !_stop.IsCancellationRequested)
        {
            _results.MarkStopped();
            return false;
        }
    }

    private async IAsyncEnumerable<PackItem> Smaller(IAsyncEnumerable<PackItem> items)
    {
        await foreach (var item in items.ConfigureAwait(false))
        {
            if (item.Type != TarEntryType.File || item.Delta is not null || !(item.Length > _options.LargestFile))
            {
                yield return item;
                continue;
            }
            _results.Fail(item.Path,
                new TransferException(TransferError.Unsupported, $"{item.Path} is too large to be packed with others."));
            _results.ReportQueued();
        }
    }
}
