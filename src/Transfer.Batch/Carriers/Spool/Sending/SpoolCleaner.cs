using Microsoft.Extensions.Logging;
using Transfer.Batch.Sealing;

namespace Transfer.Batch.Carriers.Spool.Sending;

/// <summary>Deletes a sender's own jobs that all recipients have confirmed, or whose deadline has passed by the store's clock.</summary>
internal sealed class SpoolCleaner
{
    // So many jobs in a row may not be reached; then the store is not.
    private const int MostFailures = 3;

    private readonly SpoolStore _store;
    private readonly SpoolKey _key;
    private readonly KeyRing _ring;
    private readonly ILogger _logger;
    private int _failures;

    /// <param name="store">The spool.</param>
    /// <param name="key">The sender.</param>
    /// <param name="ring">Its keys.</param>
    /// <param name="logger">Is told whose confirmations are missing.</param>
    public SpoolCleaner(SpoolStore store, SpoolKey key, KeyRing ring, ILogger logger)
    {
        _store = store;
        _key = key;
        _ring = ring;
        _logger = logger;
    }

    /// <summary>Looks at all jobs but one.</summary>
    /// <param name="current">The job that is being sent.</param>
    /// <param name="now">What time it is in the store; null: it does not say, so no deadline passes.</param>
    /// <param name="ct">Cancels.</param>
    public async ValueTask RunAsync(JobId current, DateTimeOffset? now, CancellationToken ct)
    {
        try
        {
            foreach (var id in await _store.ListJobsAsync(ct).ConfigureAwait(false))
            {
                if (id != current) await LookAsync(id, now, ct).ConfigureAwait(false);
            }
        }
        catch (TransferException e)
        {
            // What is to be sent matters more.
            Log.SpoolNotCleaned(_logger, e.Message);
        }
    }

    private async ValueTask LookAsync(JobId id, DateTimeOffset? now, CancellationToken ct)
    {
        try
        {
            if (await SpoolJob.ReadAsync(_store, id, _key, _ring, sender => Equals(sender, _key.Public), ct).ConfigureAwait(false) is not { } job) return;
            using (job) await JudgeAsync(job, now, ct).ConfigureAwait(false);
            _failures = 0;
        }
        catch (TransferException e) when (e.IsTransient ? ++_failures < MostFailures : e is not TransferConnectionException)
        {
            Log.SpoolJobPassedOver(_logger, id.ToString(), e.Message);
        }
    }

    private async ValueTask JudgeAsync(SpoolJob job, DateTimeOffset? now, CancellationToken ct)
    {
        if (await _store.ListAsync(job.Id, below: 0, ct).ConfigureAwait(false) is not { } listing) return;
        var end = listing.HasEnd ? await job.ReadEndAsync(ct).ConfigureAwait(false) : null;
        var missing = end is null ? [.. job.Head.To.Select(to => to.Name)] : await job.GetMissingAsync(end, listing, ct).ConfigureAwait(false);
        if (missing.Count == 0)
        {
            if (await _store.DeleteAsync(job.Id, ct).ConfigureAwait(false)) Log.SpoolJobDone(_logger, job.Id.ToString());
        }
        else if (job.Head.Deadline > 0 && now - listing.Sent > TimeSpan.FromSeconds(job.Head.Deadline))
        {
            Log.SpoolJobExpired(_logger, job.Id.ToString(), string.Join(", ", missing));
            await _store.DeleteAsync(job.Id, ct).ConfigureAwait(false);
        }
    }
}
