using System.Runtime.CompilerServices;

namespace Transfer.Plans;

/// <summary>The steps of a synchronization, from a dry run of that.</summary>
internal static class PlanWalk
{
    /// <summary>Returns the steps as the walk finds them.</summary>
    /// <param name="options">The synchronization.</param>
    /// <param name="start">Starts a synchronization that keeps its items.</param>
    /// <param name="ct">Cancels.</param>
    public static async IAsyncEnumerable<PlannedItem> ReadAsync(
        SyncOptions options, Func<SyncOptions, CancellationToken, TransferJob> start, [EnumeratorCancellation] CancellationToken ct)
    {
        if (options.Filter?.Shard is not null)
            throw new ArgumentException("SyncOptions.Filter.Shard must be null: a plan is of the whole.", nameof(options));
        if (options.DisposesSource)
        {
            throw new ArgumentException(
                "SyncOptions.RemoveSource and MoveSourceTo must not be set: a plan is applied again after a failure.", nameof(options));
        }
        // Moves need both names at once, which may be in two parts.
        var job = start(options with { DryRun = true, IsPlan = true, DetectMoves = false }, ct);
        await using var jobEnd = job.ConfigureAwait(false);
        await foreach (var item in job.ReadItemsAsync(CancellationToken.None).ConfigureAwait(false))
        {
            // An unchanged entry that is one with another at the target is a step too: the target decides between all of a group.
            var decides = item is { Action: ItemAction.Keep, Group: not null };
            if (item.Error is null && item.Action is not (ItemAction.Transfer or ItemAction.Delete) && !decides) continue;
            if (item.Error is null && item.Result is { Skipped: true } && !decides) continue;
            yield return new PlannedItem
            {
                Path = item.Path,
                Action = decides ? ItemAction.Transfer : item.Action,
                Type = item.Type,
                Length = item.Action == ItemAction.Delete ? item.ListedLength
                    : decides || item.Type == RemoteEntryType.Directory ? null : item.Result?.Bytes,
                Modified = item.ListedModified,
                Group = item.Group,
                Error = item.Error,
            };
        }
        await job.Completion.ConfigureAwait(false);
    }
}
