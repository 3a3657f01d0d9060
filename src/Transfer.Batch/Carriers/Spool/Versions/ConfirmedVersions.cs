using Microsoft.Extensions.Logging;
using Transfer.Batch.Carriers.Spool.Records;
using Transfer.Batch.Sealing;

namespace Transfer.Batch.Carriers.Spool.Versions;

/// <summary>Makes what was sent a version that can be built on, when all recipients have said that they have it. Thread-safe.</summary>
internal sealed class ConfirmedVersions : IDisposable
{
    // Of the files that somebody has not taken so many are told by name.
    private const int MostTold = 10;

    private readonly SemaphoreSlim _gate = new(1);
    private readonly VersionStore _store;
    private readonly ILogger _logger;

    /// <param name="store">What was sent.</param>
    /// <param name="logger">Is told who lacks what.</param>
    public ConfirmedVersions(VersionStore store, ILogger logger)
    {
        _store = store;
        _logger = logger;
    }

    /// <summary>It is known what the job has sent, and not yet that all have it.</summary>
    public bool IsPending(JobId job) => _store.FindPending(job) is not null;

    /// <summary>All have confirmed a job. What they say that they have not is not built on: to whom they say it, it does no harm but to send it whole.</summary>
    /// <param name="job">The job.</param>
    /// <param name="end">Its end.</param>
    /// <param name="listing">What the store shows of it.</param>
    /// <param name="ct">Cancels; the next run does it then.</param>
    /// <returns>Recipients of whom it can't be read what they have: then nothing is changed.</returns>
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
                // Who has said something that is not there just now has not said that he lacks nothing.
                if (said.Count == 0) unread.Add(job.Head.To[i].Name);
                hasAll &= said.All(confirmation => !confirmation.LacksMore);
                // Only what was sent: others' words are for nobody's eyes.
                lacking.Add([.. said.SelectMany(confirmation => confirmation.Lacking).Where(version.Has)]);
            }
            if (unread.Count > 0) return unread;
            using var held = await _store.HoldAsync(ct).ConfigureAwait(false);
            // Another run may have confirmed it meanwhile, or forgotten it.
            if (_store.FindPending(job.Id) is null) return [];
            for (var i = 0; i < lacking.Count; i++) Tell(job, i, lacking[i]);
            // Where too much is lacking to be told, nothing of it is known: what stays says that there was such a job.
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

    private void Tell(SpoolJob job, int recipient, HashSet<string> lacking)
    {
        if (lacking.Count == 0) return;
        var some = string.Join(", ", lacking.Order(StringComparer.Ordinal).Take(MostTold));
        Log.SpoolFilesLacking(_logger, job.Head.To[recipient].Name, lacking.Count, job.Id.ToString(), lacking.Count > MostTold ? some + ", ..." : some);
    }
}
