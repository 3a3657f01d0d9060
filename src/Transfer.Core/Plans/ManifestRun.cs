using System.Diagnostics;

namespace Transfer.Plans;

/// <summary>Applies a manifest, and writes the part's result.</summary>
/// <param name="manifest">The manifest.</param>
/// <param name="context">The job.</param>
internal sealed class ManifestRun(PlanManifest manifest, TransferJobContext context)
{
    private readonly CancellationToken _ct = context.CancellationToken;
    private long _items;
    private long _held;

    /// <summary>Returns options that have the plan's values, and the journal beside the manifest unless they have one.</summary>
    public SyncOptions Adapt(SyncOptions options) =>
        manifest.Header.For(options with { Journal = options.Journal ?? manifest.JournalPath, Resume = true });

    /// <summary>Runs.</summary>
    /// <param name="apply">Applies items.</param>
    public async Task<JobResult> RunAsync(Func<IAsyncEnumerable<PlannedItem>, Task<JobResult>> apply)
    {
        // Read as a whole before anything begins: a torn manifest changes nothing.
        await foreach (var _ in manifest.WithCancellation(_ct).ConfigureAwait(false)) _items++;
        var before = await PartResult.ReadAsync(manifest.ResultPath, _ct).ConfigureAwait(false);
        if (before is not null && before.Plan != manifest.Header.Id) before = null;
        var lost = manifest.Header.IsFinal ? await CountLostAsync().ConfigureAwait(false) : 0;
        var started = Stopwatch.GetTimestamp();
        try
        {
            var result = await apply(lost > 0 ? WithoutDeletionsAsync() : manifest).ConfigureAwait(false);
            if (_held > 0) result = Hold(result, lost);
            Write(before, result, error: null, started);
            return result;
        }
        catch (TransferException e)
        {
            Write(before, new JobResult(), e.Message, started);
            throw;
        }
    }

    // The files that parts could not send. The last phase begins when each part has ended.
    private async Task<long> CountLostAsync()
    {
        var folder = new PlanFolder(Path.GetDirectoryName(LocalPath.Full(manifest.Path))!);
        var (missing, lost) = (new List<int>(), 0L);
        for (var part = 0; part < manifest.Header.Parts; part++)
        {
            var result = await PartResult.ReadAsync(PlanManifest.ResultOf(folder.ManifestOf(part)), _ct).ConfigureAwait(false);
            if (result is { Error: null, IsFinal: false } && (result.Plan, result.Part) == (manifest.Header.Id, part)) lost += result.Lost;
            else missing.Add(part);
        }
        if (missing.Count == 0) return lost;
        throw new TransferException(TransferError.Partial,
            $"{missing.Count} of {manifest.Header.Parts} parts are not done, the first is part {missing[0]}: the last phase waits for all.")
        { IsTransient = false };
    }

    private async IAsyncEnumerable<PlannedItem> WithoutDeletionsAsync()
    {
        await foreach (var item in manifest.WithCancellation(_ct).ConfigureAwait(false))
        {
            if (item.Action == ItemAction.Delete) _held++;
            else yield return item;
        }
    }

    // As in one run, nothing is deleted if a file failed.
    private JobResult Hold(JobResult result, long lost)
    {
        var failure = new ItemResult
        {
            Path = ".",
            Error = new TransferException(TransferError.Partial,
                $"{lost} files of the parts are not at the target: {_held} entries stay that would be deleted. Apply those parts again.")
            { IsTransient = false },
        };
        context.Items?.Report(failure);
        return result with { NotDeleted = _held, Failed = result.Failed + 1, Failures = [.. result.Failures, failure] };
    }

    private void Write(PartResult? before, JobResult result, string? error, long started) => new PartResult
    {
        Plan = manifest.Header.Id,
        Part = manifest.Header.Part,
        IsFinal = manifest.Header.IsFinal,
        Host = Environment.MachineName,
        Ended = DateTimeOffset.UtcNow,
        Runs = 1 + (before?.Runs ?? 0),
        Items = _items,
        Files = result.Files + (before?.Files ?? 0),
        Bytes = LengthSum.Add(result.Bytes, before?.Bytes ?? 0),
        Unchanged = result.Unchanged,
        Deleted = result.Deleted + (before?.Deleted ?? 0),
        NotDeleted = result.NotDeleted,
        Failed = result.Failed,
        Lost = result.Lost,
        Retries = result.Retries + (before?.Retries ?? 0),
        Sessions = result.Sessions,
        Seconds = Math.Round(Stopwatch.GetElapsedTime(started).TotalSeconds + (before?.Seconds ?? 0), 3),
        Error = error,
        Failures = [.. result.Failures.Take(PartResult.MaxFailures).Select(Failure)],
    }.Write(manifest.ResultPath);

    private static PartFailure Failure(ItemResult item) =>
        new(LocalPath.TextOf(item.Path), item.Error?.Error ?? TransferError.Unknown, item.Error?.Message ?? string.Empty);
}
