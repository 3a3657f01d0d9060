using System.Runtime.CompilerServices;

namespace Transfer.Engine.Operations;

/// <summary>The comparison of two folders: a synchronization that changes nothing, and whose items show the differences.</summary>
internal static class FolderComparison
{
    /// <summary>Returns the compared entries in the order of the job.</summary>
    /// <param name="start">Starts the dry synchronization, which keeps its items.</param>
    /// <param name="ct">Cancels.</param>
    /// <exception cref="TransferException">The folders could not be compared at all.</exception>
    public static async IAsyncEnumerable<ComparedItem> ReadAsync(
        Func<CancellationToken, TransferJob> start, [EnumeratorCancellation] CancellationToken ct)
    {
        var job = start(ct);
        await using var jobEnd = job.ConfigureAwait(false);
        await foreach (var item in job.ReadItemsAsync(CancellationToken.None).ConfigureAwait(false))
        {
            if (item.Action == ItemAction.Skip) continue;
            yield return new ComparedItem { Path = item.Path, Type = item.Type, Outcome = OutcomeOf(item), Error = ErrorOf(item) };
        }
        await job.Completion.ConfigureAwait(false);
    }

    private static ComparisonOutcome OutcomeOf(ItemResult item) => item switch
    {
        // An entry of another kind is in the way.
        { Error.Error: TransferError.Exists } => ComparisonOutcome.Different,
        { Error: not null } => ComparisonOutcome.Failed,
        { Action: ItemAction.Keep } => ComparisonOutcome.Same,
        { Action: ItemAction.Delete } => ComparisonOutcome.Extra,
        { Replaces: true } => ComparisonOutcome.Different,
        _ => ComparisonOutcome.Missing,
    };

    private static TransferException? ErrorOf(ItemResult item) => item.Error is { Error: not TransferError.Exists } error ? error : null;
}
