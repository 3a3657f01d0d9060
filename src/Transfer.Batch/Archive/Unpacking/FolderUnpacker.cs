using Transfer.Batch.Archive.Format;
using Transfer.Batch.Archive.Tar;
using Transfer.Batch.Carriers;
using Transfer.Batch.Sealing;
using Transfer.Local;

namespace Transfer.Batch.Archive.Unpacking;

/// <summary>Unpacks the archives of one job into a folder, from all lanes of a receiving carrier at once.</summary>
internal sealed class FolderUnpacker : IArchiveSink, IAsyncDisposable
{
    private readonly Lock _gate = new();
    private readonly Dictionary<long, Task<ArchiveReceipt>> _received = [];
    private readonly string _folder;
    private readonly BatchUnpackOptions _options;
    private readonly KeyRing _keys;
    private readonly LocalNames? _names;
    private readonly List<RunMark> _marks = [];
    private readonly RefusedArchives _refused = new();
    private UnpackTarget? _target;
    private int _unpacking;
    private JobId? _job;

    /// <param name="folder">The folder; created with the first archive.</param>
    /// <param name="options">How to unpack.</param>
    /// <param name="keys">The keys that open the archives. Belong to the caller.</param>
    /// <param name="names">The rules of names in the folder; null: detected.</param>
    public FolderUnpacker(string folder, BatchUnpackOptions options, KeyRing keys, LocalNames? names = null)
    {
        _folder = LocalPath.Full(folder);
        _options = options;
        _keys = keys;
        _names = names;
        _job = options.Job;
    }

    /// <summary>The counts of the files' results.</summary>
    public JobTally Tally { get; } = new();

    /// <summary>The paths of files with missing slices.</summary>
    public IReadOnlyList<string> Unfinished =>
        _target is { } target ? [.. target.Sliced.Where(IsUnfinished).Select(file => file.Temporary)] : [];

    /// <summary>Whether received slices are gone, because their file could not be finished.</summary>
    public bool HasLost => _target is { } target && target.Sliced.Any(file => file.IsLost);

    /// <inheritdoc/>
    public async ValueTask<ArchiveReceipt> ReceiveAsync(long index, Stream archive, CancellationToken ct)
    {
        using var reader = await ArchiveReader.OpenAsync(archive, _keys, ct, _options.Buffers).ConfigureAwait(false);
        if (reader.Header.Index != index)
            throw new TransferException(TransferError.Integrity, $"Archive {reader.Header.Index} came as archive {index}.");
        var first = await reader.NextAsync(ct).ConfigureAwait(false);
        if (_options.Manifest is { } manifest && !manifest.Span.SequenceEqual(reader.Header.Manifest.Span))
            throw new TransferException(TransferError.Integrity, $"Archive {index} belongs to another manifest.");
        // The header is authentic from here on.
        var target = TargetOf(reader.Header.Job);
        var receipt = Received(index) is { } earlier
            ? await PassOverAsync(reader, earlier, ct).ConfigureAwait(false) : await UnpackAsync(reader, first, target,
                ct).ConfigureAwait(false);
        return receipt with { Index = index };
    }

    /// <inheritdoc/>
    public void Forget(long index)
    {
        lock (_gate)
        {
            if (_received.TryGetValue(index, out var receipt) && receipt.IsCompleted) _received.Remove(index);
        }
    }

    /// <summary>Receipts that are remembered.</summary>
    internal int Remembered
    {
        get { lock (_gate) return _received.Count; }
    }

    /// <summary>Completes the job once all archives are confirmed: folders get their times and permissions. Returns the files with missing
    /// slices.</summary>
    /// <param name="ct">Cancels.</param>
    /// <param name="goesOn">Whether the missing slices follow in another job, so that the files get no result yet.</param>
    public async ValueTask<IReadOnlyList<ArchiveFailure>> CompleteAsync(CancellationToken ct, bool goesOn = false)
    {
        ct.ThrowIfCancellationRequested();
        if (_target is not { } target) return [];
        // Before the folders get their times, and modes in which nothing can be deleted.
        var unfinished = DiscardUnfinished(target);
        // From the bottom up: a folder that becomes read-only is complete by then.
        foreach (var folder in target.Folders.All.OrderByDescending(folder => folder.Relative.Length)) Finish(folder);
        foreach (var file in goesOn ? [] : unfinished)
            Report(new ItemResult { Path = file.Path, Error = new TransferException(file.Error, file.Message) });
        Unmark();
        await target.Flush.RunAsync(target.Folders.Described()).ConfigureAwait(false);
        Log.BroughtToDisk(_options.Logger, target.Flush.Runs.FileSystems, target.Flush.Runs.Files);
        return unfinished;
    }

    /// <summary>Fails the files of archives that never arrived, by name where the names are known. To be called after
    /// <see cref="CompleteAsync"/>.</summary>
    public void FailLost(IReadOnlyList<LostArchive> lost)
    {
        // Files with missing slices were reported before.
        var told = _target is { } target ? target.Sliced.Where(file => file.Error is not null).Select(file => file.Path).ToHashSet() : [];
        foreach (var (index, error) in lost)
        {
            var reason = index is null ? error : error.WithMessage($"Archive {index} never came whole: {error.Message}");
            var files = index is { } known ? _refused.FilesOf(known) : [];
            foreach (var path in files.Where(told.Add)) Report(new ItemResult { Path = path, Error = reason });
            if (files.Count == 0) Report(new ItemResult { Path = string.Empty, Type = RemoteEntryType.Directory, Error = reason });
        }
    }

    /// <summary>Deletes unfinished files, unless they are to be kept.</summary>
    public ValueTask DisposeAsync()
    {
        if (_target is not { } target) return default;
        if (!_options.KeepUnfinished) DiscardUnfinished(target);
        Unmark();
        target.Dispose();
        return default;
    }

    private UnpackTarget TargetOf(JobId job)
    {
        lock (_gate)
        {
            if ((_job ??= job) != job) throw new TransferException(TransferError.Integrity, "The archive belongs to another job.");
            return _target ??= new UnpackTarget(new TargetFolders(_folder, _names), _options, job);
        }
    }

    // Unfinished files are about to exist. Slices that are kept need no mark: the keeper knows them.
    private void BeginUnpacking(UnpackTarget target)
    {
        lock (_gate)
        {
            if (_unpacking++ > 0 || _marks.Count > 0) return;
            Mark(target.TemporaryNames.Run, RunMark.OfOneProcess);
            if (!_options.KeepUnfinished) Mark(target.SlicedRun, RunMark.OfJob);
        }
    }

    private void Mark(string run, byte kind)
    {
        if (RunMark.TryMake(_folder, run, kind, _options.Logger) is { } mark) _marks.Add(mark);
    }

    private void EndUnpacking()
    {
        lock (_gate)
        {
            if (--_unpacking > 0 || !_options.KeepUnfinished && Unfinished.Count > 0) return;
        }
        Unmark();
    }

    private void Unmark()
    {
        lock (_gate)
        {
            if (_unpacking > 0) return;
            foreach (var mark in _marks) mark.Dispose();
            _marks.Clear();
        }
    }

    private Task<ArchiveReceipt>? Received(long index)
    {
        lock (_gate) return _received.GetValueOrDefault(index);
    }

    // The archive was carried once more because the receipt was lost: the receipt is the same. The archive must be authentic all the same.
    private static async ValueTask<ArchiveReceipt> PassOverAsync(ArchiveReader reader, Task<ArchiveReceipt> earlier, CancellationToken ct)
    {
        while (await reader.NextAsync(ct).ConfigureAwait(false) is not null)
        {
            // Only looked at.
        }
        return await earlier.WaitAsync(ct).ConfigureAwait(false);
    }

    private async ValueTask<ArchiveReceipt> UnpackAsync(ArchiveReader reader, ReadOnlyMemory<byte>? first, UnpackTarget target,
        CancellationToken ct)
    {
        BeginUnpacking(target);
        var unpacking = new ArchiveUnpacking(target, reader.Header.MayBeRepeated || _options.MayBeRepeated, ct);
        var isRead = false;
        try
        {
            var tar = new TarReader(unpacking);
            long unpacked = 0;
            for (var piece = first; piece is { } payload; piece = await reader.NextAsync(ct).ConfigureAwait(false))
            {
                // Counts all, also the bytes between files, and names without an entry.
                unpacked += payload.Length;
                if (unpacked > _options.MostPayload)
                    throw new TransferException(TransferError.Protocol, $"The archive has more than {_options.MostPayload} bytes.");
                tar.Read(payload.Span);
            }
            tar.Complete();
            isRead = true;
            if (unpacking.Full is { } full) throw full;
            ct.ThrowIfCancellationRequested();
            var receipt = await PublishOnceAsync(unpacking, reader, target).ConfigureAwait(false);
            _refused.Remove(reader.Header.Index);
            return receipt;
        }
        catch
        {
            unpacking.Abandon();
            if (isRead) _refused.Add(reader.Header.Index, unpacking.Entries);
            throw;
        }
        finally
        {
            unpacking.ReleaseUnflushed();
            EndUnpacking();
        }
    }

    // The same archive may arrive over two lanes, one of which the sender has given up.
    private async ValueTask<ArchiveReceipt> PublishOnceAsync(ArchiveUnpacking unpacking, ArchiveReader reader, UnpackTarget target)
    {
        var publishing = new TaskCompletionSource<ArchiveReceipt>(TaskCreationOptions.RunContinuationsAsynchronously);
        Task<ArchiveReceipt>? earlier;
        lock (_gate)
        {
            if (!_received.TryGetValue(reader.Header.Index, out earlier)) _received.Add(reader.Header.Index, publishing.Task);
        }
        if (earlier is not null)
        {
            unpacking.Abandon();
            return await earlier.ConfigureAwait(false);
        }
        try
        {
            var publisher = new ArchivePublishing(target);
            // The receipt names the published writing: another writing may have held changed files.
            var receipt = await publisher.RunAsync(unpacking.Entries).ConfigureAwait(false) with { Digest = reader.Digest };
            foreach (var item in publisher.Items) Report(item);
            publishing.SetResult(receipt);
            return receipt;
        }
        catch (Exception e)
        {
            lock (_gate) _received.Remove(reader.Header.Index);
            publishing.SetException(e);
            // Marks the exception as observed, since often no other lane waits.
            _ = publishing.Task.Exception;
            throw;
        }
    }

    private void Report(ItemResult item)
    {
        if (item.Error is { } error)
        {
            Log.ItemFailed(_options.Logger, item.Path, error.Error, error.Message);
            Tally.Failed(item);
        }
        else
        {
            Tally.Done(item.Action, item.Result ?? new TransferResult());
            if (item.Action == ItemAction.Transfer) _options.Progress?.FileDone();
        }
        _options.Items?.Report(item);
    }

    private void Finish(TargetFolder folder)
    {
        try
        {
            if (folder.Mode is { } mode && !OperatingSystem.IsWindows()) DiskFiles.SetMode(folder.Path, mode);
            if (folder.Created is { } created
                && ReceivedFile.IsPossible(created) && (OperatingSystem.IsWindows() || OperatingSystem.IsMacOS()))
            {
                Directory.SetCreationTimeUtc(folder.Path, created);
            }

            if (folder.Modified is { } modified && ReceivedFile.IsPossible(modified)) DiskFiles.SetModified(folder.Path, modified);
        }
        catch (Exception e) when (LocalErrors.IsLocal(e))
        {
            Report(new ItemResult
            {
                Path = folder.Relative,
                Type = RemoteEntryType.Directory,
                Error = LocalErrors.Map(e, "Cannot finish the folder", folder.Path)
            });
        }
    }

    private static bool IsUnfinished(SlicedFile file) =>
        !file.IsPublished && !file.IsSkipped && !file.IsPublishedBefore && !file.IsSuperseded && file.Error is null;

    private List<ArchiveFailure> DiscardUnfinished(UnpackTarget target)
    {
        var unfinished = new List<ArchiveFailure>();
        // One that was sent again and has failed so too is one file.
        var told = target.Sliced.Where(file => file.Error is not null).Select(file => file.Path).ToHashSet();
        foreach (var file in target.Sliced)
        {
            if (!IsUnfinished(file)) continue;
            DiskFiles.Discard(file.Temporary, _options.Logger);
            file.Error = new TransferException(TransferError.Integrity, $"Not all slices of \"{file.Path}\" have come.");
            if (told.Add(file.Path)) unfinished.Add(new ArchiveFailure(file.Path, TransferError.Integrity, file.Error.Message));
        }
        return unfinished;
    }
}
