using Microsoft.Extensions.Logging;
using Transfer.Batch.Carriers.Spool.Records;
using Transfer.Batch.Sealing;

namespace Transfer.Batch.Carriers.Spool.Versions;

/// <summary>Turns sent files into versions to build on, when all recipients have confirmed them. Thread-safe.</summary>
internal sealed class ConfirmedVersions : IDisposable
{
    // The most files lacking at a recipient that are logged by name.
    private const int MostTold = 10;

    private readonly SemaphoreSlim _gate = new(1);
    private readonly VersionStore _store;
    private readonly ILogger _logger;

    /// <param name="store">The records of sent files.</param>
    /// <param name="logger">Logs which recipient lacks which files.</param>
    public ConfirmedVersions(VersionStore store, ILogger logger)
    {
        _store = store;
        _logger = logger;
    }

    /// <summary>Whether there is a record of the job's sent files, not confirmed by all yet.</summary>
    public bool IsPending(JobId job) => _store.FindPending(job) is not null;

    /// <summary>Records that all recipients have confirmed a job. Files reported as lacking are not built on, so a false report only has
    /// files sent whole.</summary>
    /// <param name="job">The job.</param>
    /// <param name="end">The job's end.</param>
    /// <param name="listing">The files of the job in the store.</param>
    /// <param name="ct">Cancels; the next run repeats the work then.</param>
    /// <returns>The recipients with unreadable confirmations: then nothing is changed.</returns>
    public async ValueTask<IReadOnlyList<string>> KeepAsync(SpoolJob job, SpoolEnd end, SpoolListing listing, CancellationToken ct)
    {
        await _gate.WaitAsync(ct).ConfigureAwait(false);
        try
        {
            if (_store.FindPending(job.Id) is not { } name) return [];
            using var version = SentVersion.Open(_store.PathOf(name), name);
            var unread = new List<string>();
            var lacking = new List<HashSet<string>>();
            var hasAll = true;
            for (var i = 0; i < job.Head.To.Count; i++)
            {
                var said = await job.ReadFinalAsync(i, end, listing, ct).ConfigureAwait(false);
                // A confirmation that can't be read just now does not prove that the recipient lacks nothing.
                if (said.Count == 0) unread.Add(job.Head.To[i].Name);
                hasAll &= said.All(confirmation => !confirmation.HasMoreMissing);
                // Only names that were sent: other text from a recipient must not reach the log.
                lacking.Add([.. said.SelectMany(confirmation => confirmation.MissingFiles).Where(version.Has)]);
            }
            if (unread.Count > 0) return unread;
            using var held = await _store.HoldAsync(ct).ConfigureAwait(false);
            // Another run may have confirmed or deleted the record meanwhile.
            if (_store.FindPending(job.Id) is null) return [];
            for (var i = 0; i < lacking.Count; i++) LogLacking(job, i, lacking[i]);
            // With more lacking files than a confirmation holds, none is known: the remaining record only states that there was such a job.
            if (hasAll) _store.Confirm(name, version.End, lacking.SelectMany(paths => paths).ToHashSet());
            else _store.Confirm(name, version.HeadEnd, []);
            return [];
        }
        finally
        {
            _gate.Release();
        }
    }

    public void Dispose() => _gate.Dispose();

    private void LogLacking(SpoolJob job, int recipient, HashSet<string> lacking)
    {
        if (lacking.Count == 0) return;
        var some = string.Join(", ", lacking.Order(StringComparer.Ordinal).Take(MostTold));
        Log.SpoolFilesLacking(_logger, job.Head.To[recipient].Name, lacking.Count, job.Id.ToString(),
            lacking.Count > MostTold ? some + ", ..." : some);
    }
}
