using Microsoft.Extensions.Logging;
using Transfer.Batch.Archive.Format;
using Transfer.Batch.Archive.Unpacking;
using Transfer.Batch.Sealing;
using Transfer.Local;

namespace Transfer.Batch.Carriers.Spool.Fetching;

/// <summary>One run of a fetcher: looks for jobs and takes them, each sender's in the order in which they were sent.</summary>
internal sealed class SpoolFetching : IAsyncDisposable
{
    private const int MostFailures = 5;

    private readonly List<FetchingJob> _open = [];
    private readonly Dictionary<JobId, int> _troubles = []; // jobs to be opened, with their failures so far
    private readonly SpoolStore _store;
    private readonly SpoolState _state;
    private readonly SpoolKey _key;
    private readonly KeyRing _ring;
    private readonly PassphraseTrial _passphrase;
    private readonly RecipientTrial _recipient;
    private readonly SpoolFetcherOptions _options;
    private readonly TransferJobContext _job;
    private readonly SettledJobs _settled;
    private readonly JobBuffers _buffers;
    private readonly FetchPace _pace;
    private readonly FetchedItems _items;
    private readonly ProgressReporter _progress;
    private readonly ILogger _logger;
    private readonly TimeProvider _time;
    private readonly string _name;
    private readonly string _folder;
    private readonly Dictionary<JobId, long> _headless = []; // folders without a head, and since when
    private string _who = string.Empty;
    private bool _isBeginning;
    private bool _hasEnded;
    private volatile bool _isUnread;

    public SpoolFetching(
        SpoolStore store, string name, SpoolKey key, string folder, SpoolFetcherOptions options, TransferJobContext job,
        SettledJobs settled, ProgressReporter progress, ILogger logger)
    {
        _store = store;
        _name = name;
        _key = key;
        _ring = key.CreateRing();
        _folder = folder;
        _options = options;
        _job = job;
        _settled = settled;
        _buffers = JobBuffers.ForFetching(options.MaxBufferBytes, options.Sessions);
        _state = new SpoolState(options.StateFolder);
        _passphrase = new PassphraseTrial(_state, store, _ring, options, logger);
        _recipient = new RecipientTrial(_state, store, name, options);
        _pace = new FetchPace(options.PollInterval, options.TimeProvider);
        _items = new FetchedItems(job.Items);
        _progress = progress;
        _logger = logger;
        _time = options.TimeProvider;
    }

    public async ValueTask<JobResult> RunAsync(CancellationToken ct)
    {
        _who = $"{_name} {await _key.NameAsync(_state, _time, ct).ConfigureAwait(false)}";
        using var turn = await TakeTurnAsync(ct).ConfigureAwait(false);
        var started = _time.GetTimestamp();
        await Task.Run(() => KilledRuns.Clean(_folder, _time, _logger, ct), ct).ConfigureAwait(false);
        var failures = 0;
        while (true)
        {
            var hasNews = false;
            try
            {
                await LookAsync(ct).ConfigureAwait(false);
                foreach (var job in Active())
                {
                    await _job.WhenItemsAreReadAsync(ct).ConfigureAwait(false);
                    hasNews |= await AdvanceAsync(job, ct).ConfigureAwait(false);
                }
                failures = 0;
            }
            catch (TransferException e) when (e.IsTransient && (_options.Wait || ++failures < MostFailures))
            {
                Log.SpoolLost(_logger, e.Message);
            }
            if (failures == 0 && _open.Count == 0 && _troubles.Count == 0 && (_hasEnded || !_options.Wait))
            {
                _passphrase.ThrowIfWrong();
                _recipient.ThrowIfUnknown();
                return _items.Tally.ToResult(_time.GetElapsedTime(started), _options.Sessions);
            }
            // A sender at work soon stores the next archive.
            if (!hasNews)
            {
                await Task.Delay(_isBeginning || _open.Exists(job => job.IsSenderActive) ? _pace.Pause : _options.PollInterval, _time,
                    ct).ConfigureAwait(false);
            }
        }
    }

    public async ValueTask DisposeAsync()
    {
        foreach (var job in _open) await job.DisposeAsync().ConfigureAwait(false);
        _open.Clear();
        _ring.Dispose();
    }

    // Two runs at once would each have some of a sender's jobs, and fetch them in no order.
    private async ValueTask<LockedFile> TakeTurnAsync(CancellationToken ct)
    {
        while (true)
        {
            if (_state.TryLock($"fetch of {_who} in {_store.Name}") is { } turn) return turn;
            if (!_options.Wait)
            {
                throw new TransferException(TransferError.Denied,
                    "There is another fetch for the same recipient under way here, and jobs come in their order to one at a time only.");
            }

            await Task.Delay(_options.PollInterval, _time, ct).ConfigureAwait(false);
        }
    }

    // An earlier job must not follow a later one: they may have the same files.
    private List<FetchingJob> Active() => [.. _open.GroupBy(job => job.Head.Order).Select(jobs => jobs.MinBy(job => job.Head.Sequence)!)];

    private async ValueTask<bool> AdvanceAsync(FetchingJob job, CancellationToken ct)
    {
        TransferException failure;
        try
        {
            var hasNews = await job.AdvanceAsync(ct).ConfigureAwait(false);
            job.FailuresInARow = 0;
            if (hasNews)
            {
                job.LastArrival = _time.GetTimestamp();
                if (job.IsDone) await SettleAsync(job).ConfigureAwait(false);
                else if (job.BeginsAgain) await ReopenAsync(job).ConfigureAwait(false);
                return true;
            }
            // Over a slow line an archive takes time.
            if (job.IsSenderActive) job.LastArrival = _time.GetTimestamp();
            var isLate = _time.GetElapsedTime(job.LastArrival) >= _options.Patience;
            if (job.Refused is null && !isLate) return false;
            failure = job.Refused ?? job.Doubtful
                ?? new TransferException(TransferError.Timeout,
                    $"The job is incomplete: {job.Missing}. Archives that have arrived are not fetched again.");
        }
        catch (TransferException e) when (e.IsTransient && ++job.FailuresInARow < MostFailures)
        {
            // The other jobs have their turn all the same.
            Log.SpoolLost(_logger, e.Message);
            return false;
        }
        catch (TransferException e)
        {
            failure = e;
        }
        await EndAsync(job).ConfigureAwait(false);
        PutAside(job.Head.Job);
        // A job that is only late is not reported by a fetcher that waits anyway.
        if (job.FailuresInARow > 0 || failure.Error != TransferError.Timeout || !_options.Wait) Fail(job.Head.Job, failure);
        return true;
    }

    private async ValueTask SettleAsync(FetchingJob job)
    {
        await EndAsync(job).ConfigureAwait(false);
        _settled.Settle(job.Head.Job);
        _hasEnded = true;
    }

    // The next look finds the job; without that the run has not ended.
    private async ValueTask ReopenAsync(FetchingJob job)
    {
        await EndAsync(job).ConfigureAwait(false);
        lock (_troubles) _troubles.TryAdd(job.Head.Job, 0);
    }

    private async ValueTask EndAsync(FetchingJob job)
    {
        _open.Remove(job);
        await job.DisposeAsync().ConfigureAwait(false);
    }

    private void PutAside(JobId job) => _settled.PutAside(job, _options.Patience * 10);

    private void Fail(JobId job, TransferException error)
    {
        _hasEnded = true;
        Log.ItemFailed(_logger, job.ToString(), error.Error, error.Message);
        _items.Report(new ItemResult { Path = job.ToString(), Type = RemoteEntryType.Directory, Error = error });
    }

    private async ValueTask LookAsync(CancellationToken ct)
    {
        var found = new List<SpoolJob>();
        try
        {
            var unknown = (await _store.ListJobsAsync(ct).ConfigureAwait(false))
                .Where(id => !_settled.IsSettled(id) && !_open.Exists(job => job.Head.Job == id)).ToList();
            _isUnread = false;
            foreach (var gone in _troubles.Keys.Except(unknown).ToList()) _troubles.Remove(gone);
            foreach (var gone in _headless.Keys.Except(unknown).ToList()) _headless.Remove(gone);
            await Parallel.ForEachAsync(unknown, new ParallelOptions { MaxDegreeOfParallelism = _options.Sessions, CancellationToken = ct },
                async (id, token) =>
            {
                if (await ReadAsync(id, token).ConfigureAwait(false) is not { } job) return;
                lock (found) found.Add(job);
            }).ConfigureAwait(false);
            // A folder gets the head within a few round trips, or the sender is gone.
            _isBeginning = _headless.Values.Any(since => _time.GetElapsedTime(since) < _options.Patience);
            // A job with a head that can't be read just now may precede these; wait, but not for long.
            if (_isUnread) return;
            await _passphrase.LookedAsync(_who, ct).ConfigureAwait(false);
            await _recipient.LookedAsync(_who, ct).ConfigureAwait(false);
            found.Sort((one, other) => one.Head.Sequence.CompareTo(other.Head.Sequence));
            while (found.Count > 0)
            {
                var job = found[0];
                found.RemoveAt(0);
                await BeginAsync(job, ct).ConfigureAwait(false);
            }
        }
        finally
        {
            foreach (var job in found) job.Dispose();
        }
    }

    private async ValueTask<SpoolJob?> ReadAsync(JobId id, CancellationToken ct)
    {
        SpoolJob? job;
        try
        {
            // Opening a head can take a while.
            var isOver = JobMemory.HasConfirmed(_state, _who, id);
            job = isOver ? null
                : await SpoolJob.ReadAsync(_store, id, _key, _ring,
                    sender => sender is null ? _key.Public is null : _options.Senders.Contains(sender), ct).ConfigureAwait(false);
            if (isOver || job is null && await EndDeletionAsync(id, ct).ConfigureAwait(false))
            {
                Calm(id);
                _settled.Settle(id);
                _recipient.Own();
                return null;
            }
        }
        catch (TransferException e) when (e.IsTransient)
        {
            if (TryAgain(id, e)) _isUnread = true;
            return null;
        }
        catch (TransferException e) when (e is not TransferConnectionException)
        {
            // Any writer of the store may have made the head; the job may be of a later version, or not for this recipient.
            Log.SpoolJobPassedOver(_logger, id.ToString(), e.Message);
            PutAside(id);
            return null;
        }
        if (job is not null && job.Head.IndexOf(_name, _key.Public) >= 0)
        {
            _recipient.Own();
            return job;
        }

        Calm(id);
        if (job is null)
        {
            lock (_headless) _headless.TryAdd(id, _time.GetTimestamp());
            return null;
        }
        _settled.Settle(id);
        _recipient.Other(job.Head);
        job.Dispose();
        return null;
    }

    // The head of a job received earlier is deleted, and the deletion was perhaps broken off before the rest: by this recipient itself, if
    // killed.
    private async ValueTask<bool> EndDeletionAsync(JobId id, CancellationToken ct)
    {
        if (!JobMemory.HasReceived(_state, _who, id)) return false;
        if (await _store.ListAsync(id, below: 0, ct).ConfigureAwait(false) is { HasContent: false })
            await _store.DeleteAsync(id, ct).ConfigureAwait(false);
        return true;
    }

    // At the next looks; after some tries the job is put aside: one job's trouble must not stop the rest.
    private bool TryAgain(JobId id, TransferException error)
    {
        Log.SpoolLost(_logger, error.Message);
        lock (_troubles)
        {
            var tries = _troubles.GetValueOrDefault(id) + 1;
            _troubles[id] = tries;
            if (tries < MostFailures) return true;
            _troubles.Remove(id);
        }
        PutAside(id);
        Fail(id, error);
        return false;
    }

    private void Calm(JobId id)
    {
        lock (_troubles) _troubles.Remove(id);
    }

    private async ValueTask BeginAsync(SpoolJob job, CancellationToken ct)
    {
        JobMemory? memory = null;
        FetchingJob? fetching = null;
        try
        {
            memory = JobMemory.Open(_state, _who, job.Id);
            if (memory.IsConfirmed || memory.Final is null && await IsOvertakenAsync(job, memory, ct).ConfigureAwait(false))
            {
                Calm(job.Id);
                _settled.Settle(job.Id);
                return;
            }
            if (memory is { Folder: { } folder } && folder != _folder)
                throw new TransferException(TransferError.Exists, $"The job was begun in {folder}, and goes on there only.");
            var isKnown = memory.Folder is not null;
            if (!isKnown) memory.Begin(_folder);
            fetching = new FetchingJob(job, job.Head.IndexOf(_name, _key.Public), memory,
                new FolderUnpacker(_folder, UnpackOptions(job, isKnown), job.Archives), _options.Sessions, _buffers.Archives, _logger)
            {
                Pace = _pace,
                LastArrival = _time.GetTimestamp(),
                LeavesFiles = _options.Overwrite == OverwriteMode.Skip,
                Advances = async token =>
                    await _state.ChangeAsync(NewestOf(job), known => Math.Max(known, job.Head.Sequence), _time,
                        token).ConfigureAwait(false),
            };
            if (memory.Final is { } final) await ConfirmAsync(fetching, job, final, ct).ConfigureAwait(false);
            else _open.Add(fetching);
            Calm(job.Id);
        }
        catch (TransferException e) when (e.IsTransient)
        {
            TryAgain(job.Id, e);
        }
        catch (TransferException e)
        {
            Fail(job.Id, e);
            PutAside(job.Id);
        }
        finally
        {
            if (fetching is null)
            {
                memory?.Dispose();
                job.Dispose();
            }
            else if (!_open.Contains(fetching))
            {
                await fetching.DisposeAsync().ConfigureAwait(false);
            }
        }
    }

    // An earlier run had received all of the job, and was broken off before the confirmation.
    private async ValueTask ConfirmAsync(FetchingJob fetching, SpoolJob job, byte[] final, CancellationToken ct)
    {
        if (await _store.ListAsync(job.Id, below: 0, ct).ConfigureAwait(false) is { } listing)
            await fetching.ConfirmAsync(final, listing, ct).ConfigureAwait(false);
        _settled.Settle(job.Id);
    }

    // The name of the newest job of a line that was unpacked; a line belongs to one spool. A job's own number never refuses the job.
    private string NewestOf(SpoolJob job) => $"newest of {job.Head.Order} for {_who}";

    // A store that presents an old job for the first time, or the withheld part of one, or a job once more, could restore old versions of
    // files.
    private async ValueTask<bool> IsOvertakenAsync(SpoolJob job, JobMemory memory, CancellationToken ct)
    {
        if (job.Head.Sequence >= await _state.ChangeAsync(NewestOf(job), known => known, _time, ct).ConfigureAwait(false)) return false;
        foreach (var left in memory.Unfinished.Where(DiskFiles.Exists)) DiskFiles.Discard(left, _logger);
        var what = memory.Folder is null
            ? "The job is older than one that was received before: the store has held it back, or shows it once more. It is not taken."
            : "The job had not come whole when a later one of its sender was received, and is older than that one: nothing more of it "
            + "is taken.";
        if (memory.Folder is null) memory.Delete();
        Fail(job.Id, new TransferException(TransferError.Integrity, what));
        return true;
    }

    private BatchUnpackOptions UnpackOptions(SpoolJob job, bool isKnown) => new()
    {
        Buffers = _buffers.Archives,
        Overwrite = _options.Overwrite,
        PreserveMode = _options.PreserveMode,
        Durability = _options.Durability,
        Job = job.Id,
        Manifest = job.Hash,
        // Files of an archive may have been published before the archive was recorded.
        MayBeRepeated = isKnown,
        KeepUnfinished = true,
        IsOneWay = true,
        Items = _items,
        Progress = _progress,
        Logger = _logger,
    };
}
