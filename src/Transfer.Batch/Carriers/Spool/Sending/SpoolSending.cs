using System.Security.Cryptography;
using Microsoft.Extensions.Logging;
using Transfer.Batch.Carriers.Spool.Records;
using Transfer.Batch.Carriers.Spool.Versions;
using Transfer.Batch.Sealing;

namespace Transfer.Batch.Carriers.Spool.Sending;

/// <summary>One run of a sender: stores a job in the spool, and deletes earlier ones after their time.</summary>
internal sealed class SpoolSending : IDisposable
{
    private readonly SpoolStore _store;
    private readonly SpoolKey _key;
    private readonly KeyRing _ring;
    private readonly SpoolSenderJournal _journal;
    private readonly SentVersions? _versions;
    private readonly ConfirmedVersions _confirmed;
    private readonly ByteBudget _budget;
    private readonly ILogger _logger;

    /// <param name="store">The spool.</param>
    /// <param name="key">The sender.</param>
    /// <param name="journal">The record of files in the spool; belongs to the caller, as the other objects do.</param>
    /// <param name="versions">The record of sent versions, earlier and new ones; null: none is kept.</param>
    /// <param name="confirmed">The versions that all recipients have.</param>
    /// <param name="budget">Memory for archives.</param>
    /// <param name="logger">The log.</param>
    public SpoolSending(SpoolStore store, SpoolKey key, SpoolSenderJournal journal, SentVersions? versions, ConfirmedVersions confirmed,
        ByteBudget budget, ILogger logger)
    {
        _budget = budget;
        _versions = versions;
        _confirmed = confirmed;
        _store = store;
        _key = key;
        _ring = key.CreateRing();
        _journal = journal;
        _logger = logger;
    }

    /// <summary>Whether an earlier run was broken off, so that parts of this job may have been received.</summary>
    public bool MayBeRepeated { get; private set; }

    /// <summary>Recovers from an earlier run that was broken off: ends that job at the point of the break, or deletes the job.</summary>
    /// <param name="resume">Whether to resume the job.</param>
    /// <param name="ct">Cancels.</param>
    /// <exception cref="TransferException"><see cref="TransferError.NotFound"/>: the job to be resumed is gone.</exception>
    public async ValueTask RecoverAsync(bool resume, CancellationToken ct)
    {
        if (_journal.Job is not { } broken) return;
        MayBeRepeated = true;
        if (_journal.HasEnd) return;
        // A job spoilt by another writer counts as missing.
        using var job = await UnlessSpoiltAsync(SpoolJob.ReadAsync(_store, broken, _key, _ring, sender => Equals(sender, _key.Public), ct),
            broken).ConfigureAwait(false);
        // The job may have been complete, with only the journal's last record missing.
        if (job is not null && await UnlessSpoiltAsync(job.ReadEndAsync(ct), broken).ConfigureAwait(false) is not null) return;
        if (!resume || _journal.Archives.Count == 0)
        {
            // So that no later run declares a half-deleted job complete.
            _journal.BeginDeletion();
            await _store.DeleteAsync(broken, ct).ConfigureAwait(false);
        }
        else if (job is not null)
        {
            await EndAsync(job, ct).ConfigureAwait(false);
        }
        else
        {
            throw new TransferException(TransferError.NotFound,
                "The job that is to be continued is not in the spool any more. Without resuming it is sent from the beginning.");
        }
    }

    private async ValueTask<T?> UnlessSpoiltAsync<T>(ValueTask<T?> reading, JobId job) where T : class
    {
        try
        {
            return await reading.ConfigureAwait(false);
        }
        catch (TransferException e)
            when (e.Error is TransferError.Auth or TransferError.Integrity or TransferError.Protocol or TransferError.Unsupported
                && e is not TransferConnectionException)
        {
            Log.SpoolJobPassedOver(_logger, job.ToString(), e.Message);
            return null;
        }
    }

    private async ValueTask EndAsync(SpoolJob job, CancellationToken ct)
    {
        var end = await job.SealEndAsync(_journal.End(job.Hash, isBrokenOff: true, _confirmed.IsPending(job.Id))).ConfigureAwait(false);
        // A spoilt end would block the name where no file can be replaced.
        await _store.DiscardAsync(job.Id, SpoolNames.End, ct).ConfigureAwait(false);
        await _store.WriteAsync(job.Id, SpoolNames.End, end, ct).ConfigureAwait(false);
    }

    /// <summary>Puts a job into the spool: the head, the archives as they are packed, and the end.</summary>
    /// <param name="archives">The archives, packed with the head's hash as their manifest.</param>
    /// <param name="keys">The keys that seal the job.</param>
    /// <param name="head">The head.</param>
    /// <param name="lanes">The number of archives at once.</param>
    /// <param name="begun">Called when the head is stored.</param>
    /// <param name="ct">Cancels.</param>
    public async ValueTask PutAsync(IArchiveSource archives, JobKeys keys, SpoolHead head, int lanes, Action begun, CancellationToken ct)
    {
        using var stop = CancellationTokenSource.CreateLinkedTokenSource(ct);
        var remembering = Task.Run(() => RememberAsync(stop.Token), CancellationToken.None);
        try
        {
            // Without an archive there is no job.
            if (await archives.NextAsync(ct).ConfigureAwait(false) is { } first)
                await PutAsync(archives, first, keys, head, lanes, begun, ct).ConfigureAwait(false);
        }
        finally
        {
            await stop.CancelAsync().ConfigureAwait(false);
            await remembering.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        }
    }

    public void Dispose() => _ring.Dispose();

    // While files without a base are packed, since reading from a distant store takes a while.
    private async Task RememberAsync(CancellationToken ct)
    {
        if (_versions is null) return;
        try
        {
            await new SpoolCleaner(_store, _key, _ring, _confirmed, _logger).RememberAsync([.. _versions.Pending],
                ct).ConfigureAwait(false);
        }
        finally
        {
            await _versions.OpenAsync(ct).ConfigureAwait(false);
        }
    }

    private async ValueTask PutAsync(IArchiveSource archives, OutgoingArchive first, JobKeys keys, SpoolHead head, int lanes, Action begun,
        CancellationToken ct)
    {
        var record = head.ToBytes();
        var hash = SpoolStatement.Hash(record);
        _journal.Begin(keys.Job);
        if (_versions is not null) await _versions.BeginAsync(keys.Job, head.Sequence, ct).ConfigureAwait(false);
        await _store.CreateAsync(keys.Job, ct).ConfigureAwait(false);
        var file = await SealedRecord.SealAsync(keys.Job, SealedRecord.HeadNumber, keys.Secret!, keys.Wraps, record,
            _key.Prove(keys.Secret!, SpoolStatement.OfHead(record))).ConfigureAwait(false);
        await _store.WriteAsync(keys.Job, SpoolNames.Head, file, ct).ConfigureAwait(false);
        begun();
        Log.SpoolJobBegun(_logger, keys.Job.ToString(), head.To.Count);
        using var stop = CancellationTokenSource.CreateLinkedTokenSource(ct);
        // Also where the store answers at once, as a folder does.
        var cleaning = Task.Run(
            () => new SpoolCleaner(_store, _key, _ring, _confirmed, _logger).RunAsync(keys.Job, head.Line, stop.Token).AsTask(),
            CancellationToken.None);
        try
        {
            await PutArchivesAsync(archives, first, keys, hash, lanes, ct).ConfigureAwait(false);
            // A job with a rest that follows in another one has no complete list of sent files.
            var isAwaited = archives.HasPostponed ? _confirmed.IsPending(keys.Job) : _versions?.Complete() ?? false;
            var end = _journal.End(hash, archives.HasPostponed, isAwaited).ToBytes();
            var sealedEnd = await SealedRecord.SealAsync(keys.Job, SealedRecord.EndNumber, keys.Secret!, keys.Wraps, end,
                _key.Prove(keys.Secret!, SpoolStatement.OfEnd(end))).ConfigureAwait(false);
            await _store.WriteAsync(keys.Job, SpoolNames.End, sealedEnd, ct).ConfigureAwait(false);
            _journal.Ended();
        }
        catch
        {
            await stop.CancelAsync().ConfigureAwait(false);
            await cleaning.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            throw;
        }
        await cleaning.ConfigureAwait(false);
    }

    private async Task PutArchivesAsync(IArchiveSource archives, OutgoingArchive first, JobKeys keys, byte[] head, int lanes,
        CancellationToken ct)
    {
        using var stop = CancellationTokenSource.CreateLinkedTokenSource(ct);
        var running = new Task[lanes];
        Exception? fault = null;
        for (var i = 0; i < lanes; i++) running[i] = RunLaneAsync(i, i == 0 ? first : null);
        await Task.WhenAll(running).ConfigureAwait(false);
        if (fault is not null) System.Runtime.ExceptionServices.ExceptionDispatchInfo.Throw(fault);

        async Task RunLaneAsync(int lane, OutgoingArchive? archive)
        {
            // Packing begins at once, and not in the loop above.
            await Task.Yield();
            try
            {
                for (var next = archive
                    ?? await archives.NextAsync(stop.Token).ConfigureAwait(false); next is not null; next = await archives.NextAsync(
                    stop.Token).ConfigureAwait(false))
                {
                    await PutAsync(next, _journal.ScratchOf(lane), keys, head, stop.Token).ConfigureAwait(false);
                }
            }
            catch (Exception e)
            {
                // The first exception is the reason; the other lanes end because of it.
                if (Interlocked.CompareExchange(ref fault, e, null) is null) await stop.CancelAsync().ConfigureAwait(false);
            }
        }
    }

    private async ValueTask PutAsync(OutgoingArchive archive, string scratch, JobKeys keys, byte[] head, CancellationToken ct)
    {
        if (archive.Index >= SpoolStore.MostArchives)
        {
            throw new TransferException(TransferError.Unsupported,
                $"A job in a spool has {SpoolStore.MostArchives} archives at most: send larger ones, or a part of the folder.");
        }

        await PutHeldAsync(archive, scratch, keys, head, ct).ConfigureAwait(false);
        // No receiver counts published files: stored files count as published.
        archive.Confirm(new ArchiveReceipt(archive.Index, archive.Digest, int.MaxValue, []));
        if (_versions is not null) await _versions.TakeAsync(ct).ConfigureAwait(false);
    }

    private async ValueTask PutHeldAsync(OutgoingArchive archive, string scratch, JobKeys keys, byte[] head, CancellationToken ct)
    {
        // Held whole before sending, since the proof covers all of it, and a repeated upload must be the same.
        var held = new HeldArchive(scratch, _budget);
        await using var heldEnd = held.ConfigureAwait(false);
        await archive.WriteToAsync(held, ct).ConfigureAwait(false);
        held.Position = 0;
        var digest = await SHA256.HashDataAsync(held, ct).ConfigureAwait(false);
        await held.WriteAsync(_key.Prove(keys.Secret!, SpoolStatement.OfArchive(head, archive.Index, digest)), ct).ConfigureAwait(false);
        await _store.WriteAsync(keys.Job, SpoolNames.Archive(archive.Index), held, ct).ConfigureAwait(false);
        _journal.Store(archive.Index, digest);
    }
}
