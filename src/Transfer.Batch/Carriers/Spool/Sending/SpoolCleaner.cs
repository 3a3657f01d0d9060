using Microsoft.Extensions.Logging;
using Transfer.Batch.Carriers.Spool.Versions;
using Transfer.Batch.Sealing;

namespace Transfer.Batch.Carriers.Spool.Sending;

/// <summary>Deletes a sender's own jobs that all recipients have confirmed, or whose deadline has passed by the store's clock; the
/// confirmed versions are recorded before.</summary>
internal sealed class SpoolCleaner
{
    // So many jobs in a row may not be reached; then the store is not.
    private const int MostFailures = 3;

    // More than a sender takes between creating a folder and storing the head.
    private static readonly TimeSpan MostEmpty = TimeSpan.FromDays(1);

    private readonly SpoolStore _store;
    private readonly SpoolKey _key;
    private readonly KeyRing _ring;
    private readonly ConfirmedVersions _versions;
    private readonly ILogger _logger;
    private int _failures;

    /// <param name="store">The spool.</param>
    /// <param name="key">The sender.</param>
    /// <param name="ring">The sender's keys.</param>
    /// <param name="versions">Records the versions that all recipients have.</param>
    /// <param name="logger">Logs missing confirmations.</param>
    public SpoolCleaner(SpoolStore store, SpoolKey key, KeyRing ring, ConfirmedVersions versions, ILogger logger)
    {
        _store = store;
        _key = key;
        _ring = ring;
        _versions = versions;
        _logger = logger;
    }

    /// <summary>Examines all jobs but one.</summary>
    /// <param name="current">The job that is being sent, with the head stored.</param>
    /// <param name="line">The job's line: confirmations of other lines' jobs belong to other senders.</param>
    /// <param name="ct">Cancels.</param>
    public async ValueTask RunAsync(JobId current, long line, CancellationToken ct)
    {
        try
        {
            // The store's clock is read from the head just written, and by a listing as for the other jobs: servers report other times for
            // a single file than in listings.
            // Without a clock no deadline passes.
            var now = (await _store.ListAsync(current, below: 0, ct).ConfigureAwait(false))?.Sent;
            foreach (var id in await _store.ListJobsAsync(ct).ConfigureAwait(false))
            {
                if (id != current)
                {
                    await LookAsync(id, job => job is null ? EndDeletionAsync(id, current, ct) : JudgeAsync(job, line, now, ct),
                        ct).ConfigureAwait(false);
                }
            }
        }
        catch (TransferException e)
        {
            // Sending matters more than cleaning.
            Log.SpoolNotCleaned(_logger, e.Message);
        }
    }

    /// <summary>Records the confirmations of some jobs, and deletes nothing.</summary>
    public async ValueTask RememberAsync(IEnumerable<JobId> jobs, CancellationToken ct)
    {
        try
        {
            foreach (var id in jobs)
            {
                await LookAsync(id, async job =>
                {
                    if (job is not null) await RememberAsync(job, ct).ConfigureAwait(false);
                }, ct).ConfigureAwait(false);
            }
        }
        catch (TransferException e)
        {
            // Then the confirmations stay unknown, which is no reason not to send.
            Log.SpoolNotCleaned(_logger, e.Message);
        }
    }

    private async ValueTask LookAsync(JobId id, Func<SpoolJob?, ValueTask> look, CancellationToken ct)
    {
        try
        {
            using var job = await SpoolJob.ReadAsync(_store, id, _key, _ring, sender => Equals(sender, _key.Public),
                ct).ConfigureAwait(false);
            await look(job).ConfigureAwait(false);
            _failures = 0;
        }
        catch (TransferException e) when (e.IsTransient ? ++_failures < MostFailures : e is not TransferConnectionException)
        {
            Log.SpoolJobPassedOver(_logger, id.ToString(), e.Message);
        }
    }

    private async ValueTask JudgeAsync(SpoolJob job, long line, DateTimeOffset? now, CancellationToken ct)
    {
        if (await RememberAsync(job, ct).ConfigureAwait(false) is not ({ } listing, { } missing, var isAwaited)) return;
        var isExpired = job.Head.Deadline > 0 && now - listing.Sent > TimeSpan.FromSeconds(job.Head.Deadline);
        if (missing.Count == 0 && isAwaited && job.Head.Line != line && !isExpired)
        {
            // Another holder of the key, or another machine of the sender, has not read the confirmations yet.
            await _store.DeleteArchivesAsync(job.Id, ct).ConfigureAwait(false);
        }
        else if (missing.Count == 0)
        {
            if (await _store.DeleteAsync(job.Id, ct).ConfigureAwait(false)) Log.SpoolJobDone(_logger, job.Id.ToString());
        }
        else if (isExpired)
        {
            Log.SpoolJobExpired(_logger, job.Id.ToString(), string.Join(", ", missing));
            await _store.DeleteAsync(job.Id, ct).ConfigureAwait(false);
        }
    }

    // Regardless of the owner: no reader can open a job without the head.
    private async ValueTask EndDeletionAsync(JobId id, JobId current, CancellationToken ct)
    {
        if (await _store.ListAsync(id, below: 0, ct).ConfigureAwait(false) is not { HasContent: false } listing) return;
        if (listing.Confirmations.Count > 0)
        {
            await _store.DeleteAsync(id, ct).ConfigureAwait(false);
        }
        else if (listing.IsEmpty
            && await _store.GetTimeAsync(current, ct).ConfigureAwait(false) - await _store.GetTimeAsync(id,
                ct).ConfigureAwait(false) > MostEmpty)
        {
            await _store.DiscardFolderAsync(id, ct).ConfigureAwait(false);
        }
    }

    private async ValueTask<(SpoolListing Listing, IReadOnlyList<string> Missing, bool IsAwaited)?> RememberAsync(SpoolJob job,
        CancellationToken ct)
    {
        if (await _store.ListAsync(job.Id, below: 0, ct).ConfigureAwait(false) is not { } listing) return null;
        var end = listing.HasEnd ? await job.ReadEndAsync(ct).ConfigureAwait(false) : null;
        if (end is null)
        {
            return (listing, await job.IsBeingDeletedAsync(listing, ct).ConfigureAwait(false) ? [] : [.. job.Head.To.Select(to => to.Name)],
                false);
        }

        var missing = await job.GetMissingAsync(end, listing, ct).ConfigureAwait(false);
        // An unreadable confirmation counts as missing: the job is not deleted.
        if (missing.Count == 0) missing = await _versions.KeepAsync(job, end, listing, ct).ConfigureAwait(false);
        return (listing, missing, end.IsAwaited);
    }
}
