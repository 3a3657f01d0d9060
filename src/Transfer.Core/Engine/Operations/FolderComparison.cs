using System.Collections.Concurrent;
using System.Runtime.CompilerServices;

namespace Transfer.Engine.Operations;

/// <summary>The comparison of two folders: a synchronization that changes nothing, and whose items show the differences.</summary>
internal static class FolderComparison
{
    /// <summary>Returns the compared entries in the order of the job.</summary>
    /// <param name="options">The dry synchronization.</param>
    /// <param name="start">Starts that, and keeps its items.</param>
    /// <param name="ct">Cancels.</param>
    /// <exception cref="TransferException">The folders could not be compared at all.</exception>
    public static async IAsyncEnumerable<ComparedItem> ReadAsync(
        SyncOptions options, Func<SyncOptions, CancellationToken, TransferJob> start, [EnumeratorCancellation] CancellationToken ct)
    {
        var folders = new MissingFolders();
        var job = start(options with { NewFolders = folders }, ct);
        await using var jobEnd = job.ConfigureAwait(false);
        await foreach (var item in job.ReadItemsAsync(CancellationToken.None).ConfigureAwait(false))
        {
            while (folders.TryTake(out var folder)) yield return folder;
            if (item.Action == ItemAction.Skip) continue;
            yield return new ComparedItem { Path = item.Path, Type = item.Type, Outcome = OutcomeOf(item), Error = ErrorOf(item) };
        }
        while (folders.TryTake(out var folder)) yield return folder;
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

    // A folder that is made is no item of a job.
    private sealed class MissingFolders : IProgress<string>
    {
        private readonly ConcurrentQueue<string> _paths = new();

        public void Report(string value) => _paths.Enqueue(value);

        public bool TryTake(out ComparedItem item)
        {
            var isThere = _paths.TryDequeue(out var path);
            item = new ComparedItem { Path = path ?? string.Empty, Type = RemoteEntryType.Directory, Outcome = ComparisonOutcome.Missing };
            return isThere;
        }
    }
}
