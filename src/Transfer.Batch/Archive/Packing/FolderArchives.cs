using System.Security.Cryptography;
using Transfer.Batch.Archive.Format;
using Transfer.Batch.Archive.Tar;
using Transfer.Batch.Carriers;
using Transfer.Batch.Sealing;
using Transfer.Local;

namespace Transfer.Batch.Archive.Packing;

/// <summary>
/// Packs a folder into archives, which a sending carrier takes. The folder is walked a few archives ahead of the carrier; an
/// archive is packed while the carrier writes.
/// </summary>
internal sealed class FolderArchives : IArchiveSource, IAsyncDisposable
{
    private readonly Lock _gate = new();
    private readonly HashSet<PackedArchive> _open = [];
    private readonly Queue<PackItem> _requeued = [];
    private readonly Queue<PackItem> _pieces = []; // slices of the items in _again, with their new facts
    private readonly List<PackItem> _assembled = [];
    private readonly BatchPackOptions _options;
    private readonly ArchivePlanner _planner;
    private readonly PackResults _results;
    private readonly LocalTreeReader _tree;
    private readonly JobKeys _keys;
    private readonly PlannedWalk _walk;
    private TaskCompletionSource _quiet = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private long _next;
    private long _published;
    private int _writing;

    private FolderArchives(LocalTreeReader tree, BatchPackOptions options, JobKeys keys)
    {
        _tree = tree;
        _options = options;
        _keys = keys;
        _results = new PackResults(options);
        _planner = new ArchivePlanner(options);
        _walk = PlannedWalk.Begin(tree, options, _planner, _results);
    }

    /// <summary>The counts of the files' results.</summary>
    public JobTally Tally => _results.Tally;

    /// <summary>Whether items were left out because <see cref="BatchPackOptions.Finish"/> was cancelled.</summary>
    public bool HasPostponed => _results.HasPostponed;

    /// <summary>Begins to walk a folder.</summary>
    /// <param name="folder">The folder with the content to send.</param>
    /// <param name="options">How to pack.</param>
    /// <param name="keys">The keys that seal the archives. Belong to the caller, who keeps them until the new object is disposed
    /// of.</param>
    /// <exception cref="TransferException">There is no such folder.</exception>
    public static FolderArchives Open(string folder, BatchPackOptions options, JobKeys keys)
    {
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(options.ArchiveBytes);
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(options.ArchiveFiles);
        if (!DiskDirectories.Exists(folder)) throw new TransferException(TransferError.NotFound, $"There is no folder {folder}.");
        return new FolderArchives(new LocalTreeReader(folder, options.Logger), options, keys);
    }

    /// <exception cref="TransferException">The folder cannot be read.</exception>
    public async ValueTask<OutgoingArchive?> NextAsync(CancellationToken ct)
    {
        while (true)
        {
            if (_options.Room is { } room) await room(ct).ConfigureAwait(false);
            if (_walk.Plans.TryRead(out var plan))
            {
                if (Take(plan) is { } archive) return archive;
                continue;
            }
            if (await _walk.Plans.WaitToReadAsync(ct).ConfigureAwait(false)) continue;
            await _walk.Ended.ConfigureAwait(false);
            Task quiet;
            ArchivePlan? again;
            bool isLast;
            lock (_gate)
            {
                again = TakeRequeued();
                // Items being packed at this moment may have to go once more.
                isLast = _writing == 0 || !_options.PacksChangedAgain;
                quiet = _quiet.Task;
            }
            _results.ReportQueued();
            if (again is not null)
            {
                if (Take(again) is { } archive) return archive;
                continue;
            }
            if (isLast) return null;
            await quiet.WaitAsync(ct).ConfigureAwait(false);
        }
    }

    /// <summary>Ends the job after the carrier has ended: unconfirmed files have failed. To be called once, after the last
    /// confirmation.</summary>
    /// <param name="error">The carrier's failure; null: all archives were carried.</param>
    public async ValueTask CompleteAsync(TransferException? error)
    {
        await _walk.StopAsync().ConfigureAwait(false);
        var lost = error ?? new TransferException(TransferError.Lost, "The transfer ended before this was confirmed.");
        foreach (var archive in OpenArchives()) Fail(archive, lost);
        lock (_gate)
        {
            while (_walk.Plans.TryRead(out var plan)) Fail(plan, lost);
            foreach (var item in _requeued) FailItem(item, lost);
            _requeued.Clear();
            foreach (var item in _pieces) Fail(item, lost);
            _pieces.Clear();
            foreach (var item in _assembled)
            {
                _results.Fail(item.Path,
                    new TransferException(TransferError.Integrity, $"The receiver confirmed all slices of {item.Path}, but not the file."));
            }

            _assembled.Clear();
        }
        _results.ReportQueued();
    }

    /// <summary>Ends the walk. Results not reported by then are lost.</summary>
    public ValueTask DisposeAsync() => _walk.DisposeAsync();

    /// <summary>An archive begins to be written.</summary>
    internal void Begin()
    {
        lock (_gate) _writing++;
    }

    /// <summary>Ends the writing of an archive, complete or broken off: items that changed meanwhile go in line again, once.</summary>
    internal void EndWriting(PackedArchive archive)
    {
        lock (_gate)
        {
            foreach (var item in archive.Plan.Items)
            {
                if (item.Outcome != PackOutcome.Changed || item.IsSecondTry || !_options.PacksChangedAgain
                    || item.Source is { } source && !source.TryEnd())
                {
                    continue;
                }

                item.Outcome = PackOutcome.Requeued;
                _requeued.Enqueue(item);
            }
            _writing--;
            var quiet = _quiet;
            _quiet = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            quiet.SetResult();
        }
    }

    /// <summary>Waits for the memory that packing an archive takes.</summary>
    internal ValueTask<BudgetShare> TakeMemoryAsync(CancellationToken ct) =>
        _options.Buffers.Archives.TakeAsync(_options.Buffers.Packing, ct);

    /// <summary>The stream of one archive; the writer is the caller's to dispose of.</summary>
    internal ArchiveWriter CreateWriter(PackedArchive archive, Stream destination, bool isAgain) => new(
        destination,
        new ArchiveHeader
        {
            Job = _keys.Job,
            Index = archive.Index,
            FrameBits = _options.Buffers.FrameBits,
            IsSealed = _keys.Secret is not null,
            MayBeRepeated = isAgain || _options.MayBeRepeated || _options.Journal is { Continues: true },
            Salt = RandomNumberGenerator.GetBytes(ArchiveHeader.SaltLength),
            Manifest = _options.Manifest,
            Wraps = _keys.Wraps,
        },
        _keys.Secret, _options.Compress);

    internal ArchivePacker CreatePacker(PayloadWriter payload) => new(_tree, _results, payload, _options.Form);

    /// <summary>Counts bytes that were packed, or (negative) are packed once more.</summary>
    internal void CountBytes(long bytes) => _options.Progress?.Moved(bytes);

    /// <summary>Settles the items of an archive that the receiver has confirmed, in the state of one of the writings.</summary>
    internal void Settle(PackedArchive archive, PackedWriting writing, ArchiveReceipt receipt)
    {
        var failures = receipt.Failures.Count == 0 ? null : receipt.Failures.ToLookup(failure => failure.Path);
        var skipped = receipt.Skipped.Count == 0 ? null : receipt.Skipped.ToHashSet();
        lock (_gate)
        {
            if (!_open.Remove(archive)) return;
            archive.Plan.Steps?.Dispose();
            var named = 0;
            var done = new List<(PackItem, SourceStamp)>(archive.Plan.Items.Count);
            for (var i = 0; i < archive.Plan.Items.Count; i++)
            {
                var item = archive.Plan.Items[i];
                var (outcome, stamp) = writing.Items[i];
                var failure = failures?[item.Path].FirstOrDefault();
                if (failure is { Error: TransferError.Integrity } && item.Delta is not null && outcome == PackOutcome.Packed)
                    RequeueWhole(item);
                else if (failure is not null) Fail(item, new TransferException(failure.Error, failure.Message) { RemotePath = item.Path });
                else if (outcome != PackOutcome.Packed) Fail(item, Changed(item));
                else if (item.Type == TarEntryType.Directory) continue;
                else if (skipped is not null && skipped.Contains(item.Path)) Skip(item);
                else named += Confirm(item, stamp, done);
            }
            // Further published files were put together of slices.
            _published += Math.Max(0, receipt.Files - named);
            TakeAssembled(done);
            _results.Done(done);
        }
        _results.ReportQueued();
    }

    /// <summary>An archive could not be carried.</summary>
    internal void Fail(PackedArchive archive, TransferException error)
    {
        lock (_gate)
        {
            if (!_open.Remove(archive)) return;
            archive.Plan.Steps?.Dispose();
            Fail(archive.Plan, error);
        }
        _results.ReportQueued();
    }

    // Folders are reported only where the receiver can't create them.
    private void Fail(ArchivePlan plan, TransferException error)
    {
        foreach (var item in plan.Items)
        {
            if (item.Type != TarEntryType.Directory) Fail(item, error);
            else _options.LostFolders?.Report(item.Path);
        }
    }

    private void Fail(PackItem item, TransferException error)
    {
        if (!item.IsSettledElsewhere && (item.Source is not { } source || source.TryEnd())) FailItem(item, error);
    }

    private void FailItem(PackItem item, TransferException error)
    {
        _results.Fail(item.Path, error);
        _results.Unplan(item);
    }

    private void Skip(PackItem item)
    {
        if (item.IsSettledElsewhere || item.Source is { } source && !source.TryEnd()) return;
        _results.Skip(item.Path, SkipReason.Exists);
        _results.Unplan(item);
    }

    // The receiver's version does not match the signature, or was replaced meanwhile.
    private void RequeueWhole(PackItem item)
    {
        if (item.IsSettledElsewhere) return;
        item.Outcome = PackOutcome.Requeued;
        _requeued.Enqueue(item);
        CountBytes(-item.Length);
    }

    // Returns the number of files published by the confirmation.
    private int Confirm(PackItem item, SourceStamp stamp, List<(PackItem, SourceStamp)> done)
    {
        if (item.Source is not { } source)
        {
            if (!item.IsSettledElsewhere) done.Add((item, stamp));
            return 1;
        }
        if (source.Confirm() && source.TryEnd()) _assembled.Add(item);
        return 0;
    }

    // A receiver that was restarted may have forgotten slices: a sliced file is done only when reported as published.
    private void TakeAssembled(List<(PackItem, SourceStamp)> done)
    {
        if (_assembled.Count == 0 || _published < _assembled.Count) return;
        done.AddRange(_assembled.Select(item => (item, item.Stamp)));
        _published -= _assembled.Count;
        _assembled.Clear();
    }

    private static TransferException Changed(PackItem item) =>
        new(TransferError.Integrity,
            $"{item.Path} changed while it was packed{(item.IsSecondTry ? ", twice" : "")}.")
        { RemotePath = item.Path };

    // Null: all of the items are left for another job.
    private PackedArchive? Take(ArchivePlan plan)
    {
        if (plan.Items.Count(_results.TryPostpone) == plan.Items.Count)
        {
            plan.Steps?.Dispose();
            return null;
        }
        var archive = new PackedArchive(this, plan, Interlocked.Increment(ref _next) - 1);
        lock (_gate) _open.Add(archive);
        return archive;
    }

    private PackedArchive[] OpenArchives()
    {
        lock (_gate) return [.. _open];
    }

    // As many of the changed items as one archive takes, with their new facts.
    private ArchivePlan? TakeRequeued()
    {
        var plan = new ArchivePlan();
        while (true)
        {
            if (_pieces.TryPeek(out var piece))
            {
                if (plan.IsFullFor(piece, _options)) return plan;
                plan.Add(_pieces.Dequeue());
            }
            else if (_requeued.TryDequeue(out var item))
            {
                foreach (var one in Anew(item) is { } anew ? _planner.Slices(anew) : []) _pieces.Enqueue(one);
            }
            else
            {
                return plan.Items.Count > 0 ? plan : null;
            }
        }
    }

    private PackItem? Anew(PackItem item)
    {
        try
        {
            var now = Look(_tree.PathOf(item.Path));
            return new PackItem
            {
                Path = item.Path,
                Type = item.Type,
                Length = now.Length,
                ModifiedTicks = now.Modified.Ticks,
                IsSecondTry = item.Delta is null || item.IsSecondTry
            };
        }
        catch (TransferException e)
        {
            _results.Fail(item.Path, e);
            return null;
        }
    }

    private static FileStatus Look(string path)
    {
        try
        {
            var status = FileStatus.Find(path, follow: true) ?? throw new FileNotFoundException($"Could not find file '{path}'.", path);
            return status.Type == RemoteEntryType.Directory
                ? throw new TransferException(TransferError.Unsupported, $"{path} is a directory.") : status;
        }
        catch (Exception e) when (LocalErrors.IsLocal(e))
        {
            throw LocalErrors.Map(e, "Cannot read", path);
        }
    }
}
