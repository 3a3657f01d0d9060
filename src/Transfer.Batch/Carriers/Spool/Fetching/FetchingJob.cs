using System.Collections.Concurrent;
using Microsoft.Extensions.Logging;
using Transfer.Batch.Archive.Unpacking;
using Transfer.Batch.Carriers.Spool.Records;
using Transfer.Local;

namespace Transfer.Batch.Carriers.Spool.Fetching;

/// <summary>A job that is being fetched: the archives as they appear, until the sender has declared them complete.</summary>
internal sealed class FetchingJob : IAsyncDisposable
{
    // How often an archive is read that is not as its sender made it, or can't be read.
    private const int MostTries = 3;

    // The most archives of a sender under way that are not in the store while later ones are.
    private const int Window = 4096;

    // Archives that must exist but are not listed are read without a listing, a few each time.
    private const int MostUnlisted = 16;

    private readonly Lock _gate = new();
    private readonly ConcurrentDictionary<long, (int Tries, TransferException Error)> _refused = [];
    private readonly SpoolJob _job;
    private readonly JobMemory _memory;
    private readonly FolderUnpacker _unpacker;
    private readonly ILogger _logger;
    private readonly bool _goesOn;
    private readonly int _recipient;
    private readonly int _lanes;
    private readonly ByteBudget _budget;
    private SpoolEnd? _end;
    private HashSet<long> _void = [];
    private long _serial = -1;
    private int _confirmed; // confirmed archives
    private long _traces;
    private Task? _advanced;

    /// <param name="job">The job, owned by the new object from here on, as memory and unpacker are.</param>
    /// <param name="recipient">Our place among the recipients.</param>
    /// <param name="memory">The record of the archives received so far.</param>
    /// <param name="unpacker">Unpacks the archives.</param>
    /// <param name="lanes">The number of archives at once.</param>
    /// <param name="budget">Memory for archives.</param>
    /// <param name="logger">The log.</param>
    public FetchingJob(SpoolJob job, int recipient, JobMemory memory, FolderUnpacker unpacker, int lanes, ByteBudget budget, ILogger logger)
    {
        _job = job;
        _recipient = recipient;
        _memory = memory;
        _goesOn = memory.Count > 0;
        _confirmed = memory.Count;
        _unpacker = unpacker;
        _lanes = lanes;
        _budget = budget;
        _logger = logger;
    }

    public SpoolHead Head => _job.Head;

    /// <summary>Called once, before the first archive is unpacked.</summary>
    public Func<CancellationToken, ValueTask> Advances { get; init; } = _ => default;

    /// <summary>Whether existing files are never replaced, so that the sender need not know of their differences.</summary>
    public bool LeavesFiles { get; init; }

    /// <summary>How often the store is listed, and gets a confirmation.</summary>
    public required FetchPace Pace { get; init; }

    /// <summary>The time when a part of the job last arrived.</summary>
    public long LastArrival { get; set; }

    /// <summary>The number of passing failures in a row.</summary>
    public int FailuresInARow { get; set; }

    /// <summary>Whether the sender is at work: at the last look, an archive was on its way.</summary>
    public bool IsSenderActive { get; private set; }

    /// <summary>Whether all of the job is received and confirmed.</summary>
    public bool IsDone { get; private set; }

    /// <summary>Whether all archives have arrived, but recorded slices of a file are gone: the job is to be opened anew, and all of it
    /// fetched once more.</summary>
    public bool BeginsAgain { get; private set; }

    /// <summary>Why an archive was refused for good, after enough tries; null: none was.</summary>
    public TransferException? Refused => _refused.Values.FirstOrDefault(one => one.Tries >= MostTries).Error;

    /// <summary>Why an archive was refused so far; null: none was.</summary>
    public TransferException? Doubtful => _refused.Values.FirstOrDefault().Error;

    /// <summary>The missing parts, as a message for people.</summary>
    public string Missing =>
        _end is null ? "it is still being sent, or its sender was broken off"
        : $"{_end.Archives - _end.Void.Count - Counted().Count} of its archives are not there";

    /// <summary>Takes the archives in the store.</summary>
    /// <returns>True: an archive has arrived.</returns>
    /// <exception cref="TransferException">The job can't be received.</exception>
    public async ValueTask<bool> AdvanceAsync(CancellationToken ct)
    {
        var before = _memory.Count;
        IsSenderActive = false;
        if (await LookAsync(ct).ConfigureAwait(false) is not { } listing)
        {
            if (_memory.Final is null) throw Gone();
            // The confirmation may have got there, with the answer lost.
            _memory.Confirm();
            return IsDone = true;
        }
        if (await IsOverAsync(listing, ct).ConfigureAwait(false))
        {
            // Else a later run would count the job as begun and unfinished.
            _memory.Confirm();
            return IsDone = true;
        }
        listing = await TakeAllAsync(listing, ct).ConfigureAwait(false);
        if (_unpacker.HasLost)
        {
            _memory.Forget();
            throw Refused ?? new TransferException(TransferError.Integrity, "A file in slices could not be finished.");
        }
        if (_end is not null && Counted() is var counted && counted.Count == _end.Archives - _end.Void.Count)
        {
            IsDone = await TryFinishAsync(_end, counted, listing, ct).ConfigureAwait(false);
            BeginsAgain = !IsDone;
            return true;
        }
        await ConfirmSomeAsync(listing, ct).ConfigureAwait(false);
        return _memory.Count != before;
    }

    /// <summary>Stores the final confirmation, and deletes the job if all recipients have confirmed.</summary>
    public async ValueTask ConfirmAsync(byte[] final, SpoolListing listing, CancellationToken ct)
    {
        try
        {
            await PutAsync(final, listing, ct).ConfigureAwait(false);
        }
        catch (TransferException e) when (!e.IsTransient)
        {
            // Everything is here. If the job is gone, no one is left to read the confirmation.
            if (await _job.Store.ListAsync(_job.Id, below: 0, ct).ConfigureAwait(false) is not null) throw;
        }
        Log.SpoolJobReceived(_logger, _job.Id.ToString());
        try
        {
            await DeleteIfLastAsync(ct).ConfigureAwait(false);
        }
        catch (TransferException e)
        {
            // The sender's next run deletes the job.
            Log.SpoolFileLeft(_logger, _job.Id.ToString(), e.Message);
        }
        // Only now: a run killed while deleting is continued by the next run.
        _memory.Confirm();
    }

    public async ValueTask DisposeAsync()
    {
        await _unpacker.DisposeAsync().ConfigureAwait(false);
        _memory.Dispose();
        _job.Dispose();
    }

    private async ValueTask DeleteIfLastAsync(CancellationToken ct)
    {
        _end ??= await _job.ReadEndAsync(ct).ConfigureAwait(false);
        if (await _job.Store.ListAsync(_job.Id, below: 0, ct).ConfigureAwait(false) is not { } after) return;
        // Our own confirmation exists, listed or not.
        var areOthersDone = _end is null
            ? await _job.IsBeingDeletedAsync(after, ct).ConfigureAwait(false)
            : (await _job.GetMissingAsync(_end, after, ct).ConfigureAwait(false)).All(name => name == Head.To[_recipient].Name);
        if (!areOthersDone) return;
        if (_end is { IsAwaited: true })
        {
            if (await _job.Store.DeleteArchivesAsync(_job.Id, ct).ConfigureAwait(false)) Log.SpoolArchivesDone(_logger, _job.Id.ToString());
        }
        else if (await _job.Store.DeleteAsync(_job.Id, ct).ConfigureAwait(false))
        {
            Log.SpoolJobDone(_logger, _job.Id.ToString());
        }
    }

    // The rest of the job is for the sender to read, or is being deleted: all recipients have the job, this one too, whose record is lost
    // or on another machine.
    private async ValueTask<bool> IsOverAsync(SpoolListing listing, CancellationToken ct)
    {
        if (listing.HasArchives) return false;
        if (_end is not { } end)
        {
            if (!await _job.IsBeingDeletedAsync(listing, ct).ConfigureAwait(false)) return false;
        }
        else if (Counted().Count == end.Archives - end.Void.Count
            || (await _job.GetMissingAsync(end, listing, ct).ConfigureAwait(false)).Count > 0)
        {
            return false;
        }
        if (_memory.Count > 0) throw Gone();
        return true;
    }

    private static TransferException Gone() =>
        new(TransferError.NotFound,
            "The job is gone from the spool before all of it was received: its sender has taken it back, or its deadline has passed, or "
            + "all have confirmed it from elsewhere.");

    private async ValueTask<SpoolListing?> LookAsync(CancellationToken ct)
    {
        var began = Pace.Begin();
        if (await _job.Store.ListAsync(_job.Id, _memory.FirstMissing + Window, ct).ConfigureAwait(false) is not { } listing) return null;
        Pace.EndLook(began);
        IsSenderActive |= listing.Traces != _traces;
        _traces = listing.Traces;
        if (_end is null && listing.HasEnd) await ReadEndAsync(ct).ConfigureAwait(false);
        return listing;
    }

    // Archives appear while earlier ones are taken. Where a listing takes as long as an archive, a fetcher that listed only when idle
    // would fall behind.
    private async ValueTask<SpoolListing> TakeAllAsync(SpoolListing listing, CancellationToken ct)
    {
        var lanes = new ArchiveLanes(_lanes, TakeAsync, ct);
        await using var lanesEnd = lanes.ConfigureAwait(false);
        lanes.Add(Wanted(listing));
        for (var hasNews = true; _end is null && lanes.IsBusy;)
        {
            // An idle lane is no reason to look at once when the last look has found nothing.
            await lanes.WaitAsync(Pace.Pause, orIdle: hasNews, ct).ConfigureAwait(false);
            if (await LookAsync(ct).ConfigureAwait(false) is not { } next) throw Gone();
            hasNews = lanes.Add(Wanted(listing = next)) > 0;
            if (Pace.IsConfirmationDue) await ConfirmSomeAsync(listing, ct).ConfigureAwait(false);
        }
        await lanes.EndAsync().ConfigureAwait(false);
        return listing;
    }

    private async ValueTask ReadEndAsync(CancellationToken ct)
    {
        _end = await _job.ReadEndAsync(ct).ConfigureAwait(false);
        if (_end is not null) _void = [.. _end.Void];
    }

    // Archives unknown to the end record were stored when the sender was broken off; their files come again.
    private bool Counts(long number) => _end is null || number < _end.Archives && !_void.Contains(number);

    private IReadOnlyList<byte[]> Counted() => _memory.Digests(Counts);

    private List<long> Wanted(SpoolListing listing)
    {
        bool IsWanted(long number) =>
            Counts(number) && !_memory.Has(number) && !(_refused.TryGetValue(number, out var refused) && refused.Tries >= MostTries);
        var wanted = listing.Archives.Where(IsWanted).Order().ToList();
        if (_end is null) return wanted;
        var listed = listing.Archives.ToHashSet();
        var unlisted = 0;
        for (var number = _memory.FirstMissing; number < _end.Archives && unlisted < MostUnlisted; number++)
        {
            if (listed.Contains(number) || !IsWanted(number)) continue;
            wanted.Add(number);
            unlisted++;
        }
        return wanted;
    }

    private async ValueTask TakeAsync(long number, CancellationToken ct)
    {
        try
        {
            if (await _job.Store.OpenAsync(_job.Id, SpoolNames.Archive(number), most: null, ct).ConfigureAwait(false) is not { } stream)
                return;
            await using var streamEnd = stream.ConfigureAwait(false);
            var proved = new ProvedStream(stream, _job.ProofLength, (digest, proof) => _job.IsProved(number, digest, proof));
            await using var provedEnd = proved.ConfigureAwait(false);
            // Slices and folders are written before an archive ends: nothing of the archive is used before its proof.
            var held = await HeldArchive.ReadAsync(proved, _memory.ScratchOf(number), HeldArchive.MostLength, _budget,
                ct).ConfigureAwait(false);
            await using var heldEnd = held.ConfigureAwait(false);
            await BeginAsync(ct).ConfigureAwait(false);
            var receipt = await _unpacker.ReceiveAsync(number, held, ct).ConfigureAwait(false);
            _memory.AddUnfinished(_unpacker.Unfinished);
            if (receipt.Passing is { } failure)
            {
                // Taken once more by a later fetch, which finds the other files in place.
                _refused[number] = (MostTries,
                    new TransferException(failure.Error,
                        $"Not all of its files could be written, so it is not confirmed: {failure.Message}"));
                return;
            }
            _memory.AddLacking(receipt.Failures.Select(one => one.Path).Concat(LeavesFiles ? [] : receipt.Different));
            _memory.Add(number, proved.Digest);
            _unpacker.Forget(number);
            _refused.TryRemove(number, out _);
        }
        catch (TransferException e)
            when (e.IsTransient
                || e.Error is TransferError.Integrity or TransferError.Protocol or TransferError.Auth or TransferError.NotFound)
        {
            // The archive may have been changed only on its way.
            Log.SpoolArchiveRefused(_logger, _job.Id.ToString(), number, e.Error, e.Message);
            var error = e.WithMessage($"{SpoolNames.Archive(number)}: {e.Message}");
            _refused.AddOrUpdate(number, (1, error), (_, earlier) => (earlier.Tries + 1, error));
        }
    }

    private Task BeginAsync(CancellationToken ct)
    {
        lock (_gate) return _advanced ??= Advances(ct).AsTask();
    }

    private async ValueTask<bool> TryFinishAsync(SpoolEnd end, IReadOnlyList<byte[]> archives, SpoolListing listing, CancellationToken ct)
    {
        var digest = SpoolEnd.DigestOf(archives);
        if (!digest.AsSpan().SequenceEqual(end.Digest))
        {
            throw new TransferException(TransferError.Integrity,
                "The store had other archives than those that the sender has put there last.");
        }
        // Slices of an earlier run may be gone: a run killed between cutting a file to its length and publishing the file has left no
        // record of the slices. Slices still missing after all archives went through one run were not sent.
        if (_goesOn && !end.IsBrokenOff && (_unpacker.Unfinished.Count > 0 || _memory.Unfinished.Any(DiskFiles.Exists)))
        {
            Log.SpoolJobTakenAgain(_logger, _job.Id.ToString());
            DiscardUnfinished();
            _memory.Forget();
            return false;
        }
        _memory.AddLacking((await _unpacker.CompleteAsync(ct, end.IsBrokenOff).ConfigureAwait(false)).Select(one => one.Path));
        // Unfinished files of an earlier run, which no run will finish.
        DiscardUnfinished();
        var final = await _job.SealConfirmationAsync(Confirmation(archives.Count, digest, isFinal: true)).ConfigureAwait(false);
        _memory.Finish(final);
        await ConfirmAsync(final, listing, ct).ConfigureAwait(false);
        return true;
    }

    private void DiscardUnfinished()
    {
        foreach (var left in _memory.Unfinished.Where(DiskFiles.Exists)) DiskFiles.Discard(left, _logger);
    }

    private async ValueTask ConfirmSomeAsync(SpoolListing listing, CancellationToken ct)
    {
        var archives = Counted();
        if (archives.Count == _confirmed) return;
        var some = await _job.SealConfirmationAsync(
            Confirmation(archives.Count, SpoolEnd.DigestOf(archives), isFinal: false)).ConfigureAwait(false);
        await PutAsync(some, listing, ct).ConfigureAwait(false);
        _confirmed = archives.Count;
        Pace.MarkConfirmed();
    }

    private SpoolConfirmation Confirmation(long archives, byte[] digest, bool isFinal) => new()
    {
        Head = _job.Hash,
        Recipient = _recipient,
        IsFinal = isFinal,
        Archives = archives,
        Digest = digest,
        MissingFiles = isFinal ? _memory.Lacking : [],
        HasMoreMissing = isFinal && _memory.LacksMore,
    };

    // Under a new name; the confirmation that this one replaces is deleted afterwards. Another machine of the same recipient may have
    // confirmed the whole job: that confirmation stays.
    private async ValueTask PutAsync(byte[] confirmation, SpoolListing listing, CancellationToken ct)
    {
        var earlier = listing.Of(_recipient).ToList();
        if (_serial >= 0 && !earlier.Contains(_serial)) earlier.Add(_serial);
        var own = _serial;
        _serial = Math.Max(_serial, earlier.Count > 0 ? earlier.Max() : -1);
        for (var tries = 1; ; tries++)
        {
            _serial++;
            if (await _job.Store.TryWriteNewAsync(_job.Id, SpoolNames.Confirmation(_recipient, _serial), confirmation,
                ct).ConfigureAwait(false))
            {
                break;
            }

            if (tries == MostTries)
            {
                throw new TransferException(TransferError.Exists,
                    "There are confirmations in the spool that its listing does not show.")
                { IsTransient = true };
            }
        }
        foreach (var serial in earlier)
        {
            if (serial != own && await _job.IsFinalAsync(_recipient, serial, ct).ConfigureAwait(false)) continue;
            await _job.Store.DiscardAsync(_job.Id, SpoolNames.Confirmation(_recipient, serial), ct).ConfigureAwait(false);
        }
    }
}
