using Transfer.Filters;

namespace Transfer.Plans;

/// <summary>
/// Applies steps of a plan: as synchronizations of the same folders that have only some names each. So every rule of a synchronization
/// holds at that time, and a file that is at the target already is confirmed instead of sent.
/// </summary>
/// <param name="options">The options of the synchronization.</param>
/// <param name="start">Starts a synchronization: its options, whether items are kept, progress, and the token that cancels.</param>
/// <param name="context">The job.</param>
internal sealed class PlanRun(
    SyncOptions options, Func<SyncOptions, bool, IProgress<TransferProgress>?, CancellationToken, TransferJob> start,
    TransferJobContext context)
{
    /// <summary>The most names of one synchronization. Each reads the folders of its names again.</summary>
    internal const int MostTogether = 200_000;

    private readonly List<PlannedItem> _items = [];
    private readonly List<PlannedItem> _grouped = [];
    private JobResult? _sum;
    private int _round;

    /// <summary>Applies the steps.</summary>
    /// <returns>The sum of all.</returns>
    public async Task<JobResult> RunAsync(IAsyncEnumerable<PlannedItem> items)
    {
        await foreach (var item in items.WithCancellation(context.CancellationToken).ConfigureAwait(false))
        {
            if (item.Error is { } error)
                throw new ArgumentException($"{PrintableText.Of(item.Path)} was not planned: {error.Message}", nameof(items));
            if (item is { Action: ItemAction.Transfer, Group: not null })
            {
                // The target decides between names of a group when they come together.
                _grouped.Add(item);
                continue;
            }
            _items.Add(item);
            if (_items.Count >= MostTogether) await RunRoundAsync(_items).ConfigureAwait(false);
        }
        // Before the deletions, which a failure holds back.
        if (_grouped.Count > 0) await RunRoundAsync(_grouped).ConfigureAwait(false);
        if (_items.Count > 0) await RunRoundAsync(_items).ConfigureAwait(false);
        return _sum ?? new JobResult();
    }

    // Never more deletions than planned. The limits of the whole were the plan's.
    private async Task RunRoundAsync(List<PlannedItem> items)
    {
        var before = _sum ?? new JobResult();
        var deletions = items.Count(item => item.Action == ItemAction.Delete);
        var how = options with
        {
            Only = new ItemSelection(items.Select(item => item.Path)),
            Steps = new PlannedSteps(items, before.Lost),
            Delete = deletions > 0,
            MaxDelete = DeletionLimit.OfItems(deletions),
            DetectMoves = false,
            Filter = null,
            DryRun = false,
            Journal = _round == 0 || options.Journal is null ? options.Journal : $"{options.Journal}.{_round}",
        };
        items.Clear();
        _round++;
        var progress = new Sum(context.Progress, before);
        var result = await context.RunAsync((reads, token) => start(how, reads, progress, token)).ConfigureAwait(false);
        _sum = JobTally.Join(before, result) with { Elapsed = before.Elapsed + result.Elapsed };
    }

    private sealed class Sum(IProgress<TransferProgress> next, JobResult before) : IProgress<TransferProgress>
    {
        public void Report(TransferProgress value) => next.Report(value with
        {
            Bytes = LengthSum.Add(before.Bytes, value.Bytes),
            TotalBytes = LengthSum.Add(before.Bytes, value.TotalBytes),
            Files = before.Files + value.Files,
            TotalFiles = before.Files + value.TotalFiles,
        });
    }
}
