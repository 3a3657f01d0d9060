using Transfer.Diagnostics;
using Transfer.Engine.Backups;
using Transfer.Engine.Files;
using Transfer.Engine.Jobs;
using Transfer.Engine.Trees;
using Transfer.Listings;
using Transfer.Names;

namespace Transfer.Engine.Sync;

/// <summary>
/// The extra entries of the target, and their deletion: files first, in batches, then the directories that are empty by then, from below.
/// </summary>
internal sealed class SyncDeletions
{
    // Fewer in one unit leave the stream's end waiting too often; more are not shared among sessions.
    private const int LeastTogether = 256;
    private const int MostTogether = 1024;

    private readonly Lock _gate = new();
    private readonly List<SyncExtra> _files = [];
    private readonly HashSet<SyncExtra> _moved = [];
    private readonly HashSet<PlannedDirectory> _spared = [];
    private readonly List<PlannedDirectory> _directories = []; // parents before children
    private readonly EngineJob _job;
    private readonly ITargetTree _target;
    private readonly int _parallel;
    private readonly SyncOptions _options;
    private readonly bool _saves;
    private readonly Func<IReadOnlyList<string>, CancellationToken, ValueTask<IReadOnlyList<TransferException?>>> _deleteFiles;
    private long _matched;

    public SyncDeletions(EngineJob job, ITargetTree target, int parallel, SyncOptions options, BackupFolder? backup)
    {
        _deleteFiles = backup is null ? target.DeleteFilesAsync : backup.TakeAsync;
        _saves = backup is not null;
        _options = options;
        _job = job;
        _target = target;
        _parallel = parallel;
    }

    public bool IsEmpty => _files.Count == 0 && _directories.Count == 0;

    /// <summary>Whether folders are extra.</summary>
    public bool HasDirectories => _directories.Count > 0;

    /// <summary>The extra files and links. Complete when the walk has ended.</summary>
    public IReadOnlyList<SyncExtra> Files => _files;

    /// <summary>Counts entries of the target that the source has too.</summary>
    public void Matched(int entries) => Interlocked.Add(ref _matched, entries);

    /// <summary>Adds an extra file or link. Without room in memory the entry stays, and so does the directory.</summary>
    public void Add(SyncExtra file)
    {
        lock (_gate)
        {
            if (_job.Room.TryTake(ListingShare.CostOf(file.Entry.Name, file.Entry.LinkTarget)))
            {
                _files.Add(file);
                return;
            }
        }
        file.Directory.Keep();
        _job.Fail(file.Item, _job.Room.Exceeded(file.Directory.TargetPath));
    }

    public void Add(PlannedDirectory directory)
    {
        lock (_gate) _directories.Add(directory);
    }

    /// <summary>Spares all extra entries in a directory and below.</summary>
    public void Spare(PlannedDirectory directory)
    {
        lock (_gate) _spared.Add(directory);
    }

    /// <summary>Removes spared entries from the deletions, when the walk has ended.</summary>
    public void LeaveSpared()
    {
        if (_spared.Count == 0) return;
        PlannedDirectory[] left = [.. _directories.Where(IsSpared)];
        foreach (var directory in left) directory.Keep();
        foreach (var file in _files.Where(file => IsSpared(file.Directory))) file.Directory.Keep();
        var count = left.Length + _files.RemoveAll(file => IsSpared(file.Directory));
        if (count == 0) return;
        _job.CountHeld(count);
        Log.AbsenceUnproved(_job.Logger, _spared.MinBy(directory => directory.Path.Length)!.ShownPath, count);
    }

    private bool IsSpared(PlannedDirectory directory)
    {
        for (var at = directory; at is not null; at = at.Parent)
        {
            if (_spared.Contains(at)) return true;
        }
        return false;
    }

    /// <summary>Removes a renamed file from the deletions.</summary>
    public void Forget(SyncExtra file)
    {
        lock (_gate) _moved.Add(file with { Entry = new(file.Entry.Name, file.Entry.Type, 0, 0) });
    }

    public async Task RunAsync(CancellationToken ct)
    {
        var files = _files.Where(file => !_moved.Contains(file with { Entry = new(file.Entry.Name, file.Entry.Type, 0, 0) })).ToList();
        var summary = Sum(files);
        var count = summary.Files + summary.Directories;
        var lost = _job.LostFiles + (_options.Gate?.Failing ?? 0) + (_options.Steps?.Lost ?? 0);
        var gate = DeletionRules.GateOf(count, summary.Present, lost, _options.MaxDelete);
        if (gate == DeletionGate.Nothing) return;
        if (gate == DeletionGate.Held)
        {
            _job.CountHeld(count);
            Log.DeletionsHeld(_job.Logger, count, lost);
            return;
        }
        summary = summary with { IsRefused = gate == DeletionGate.Refused };
        _options.Deletions?.Report(summary);
        Log.DeletionsBegin(_job.Logger, summary.Files, summary.Directories, summary.Present);
        if (summary.IsRefused)
        {
            _job.CountHeld(count);
            _job.Fail(new ItemPath("."), new TransferException(
                TransferError.Denied,
                $"{count} of {summary.Present} items would be deleted at the target, and MaxDelete (--max-delete) allows "
                + $"{_options.MaxDelete}: nothing is deleted."));
            return;
        }
        await Parallel.ForEachAsync(files.Chunk(Math.Clamp(files.Count / Math.Max(1, _parallel), LeastTogether, MostTogether)),
            new ParallelOptions { MaxDegreeOfParallelism = _parallel, CancellationToken = ct }, DeleteAsync)
            .ConfigureAwait(false);
        _directories.Reverse();
        foreach (var some in _directories.Where(directory => !directory.IsKept).Chunk(MostTogether))
            await RemoveAsync(some, ct).ConfigureAwait(false);
    }

    private DeletionSummary Sum(List<SyncExtra> files)
    {
        var folders = _directories.Count(directory => !directory.IsKept);
        // Moved files are at the target too.
        var present = Interlocked.Read(ref _matched) + _files.Count + _directories.Count;
        return new DeletionSummary
        {
            Files = files.Count,
            Directories = folders,
            Bytes = LengthSum.Of(files.Select(file => file.Entry.Length ?? 0)),
            Present = present,
        };
    }

    private async ValueTask DeleteAsync(SyncExtra[] files, CancellationToken ct)
    {
        await _job.WhenItemsAreReadAsync(ct).ConfigureAwait(false);
        var items = files.Select(file => file.Item).ToArray();
        TransferException?[] errors = [.. await TryAsync(items, _deleteFiles, ct).ConfigureAwait(false)];
        for (var i = 0; i < files.Length; i++)
        {
            if (errors[i] is { } refusal && files[i].Proof is { } proof)
                errors[i] = DoubtfulDirectory.Refused(items[i].TargetPath, proof, refusal);
            if (!ReportDeletion(items[i], files[i].Entry, errors[i])) files[i].Directory.Keep();
        }
    }

    private async ValueTask RemoveAsync(PlannedDirectory[] directories, CancellationToken ct)
    {
        await _job.WhenItemsAreReadAsync(ct).ConfigureAwait(false);
        var items = directories.Select(directory => directory.Item).ToArray();
        var errors = await TryAsync(items, _target.RemoveDirectoriesAsync, ct).ConfigureAwait(false);
        for (var i = 0; i < items.Length; i++)
        {
            if (directories[i].IsKept) continue;
            if (!ReportDeletion(items[i], new(string.Empty, RemoteEntryType.Directory, -1, 0), errors[i])) directories[i].Keep();
        }
    }

    private bool ReportDeletion(ItemPath item, in TreeEntry entry, TransferException? error)
    {
        // An entry that is gone by now counts as deleted. A backup knows such an entry: its error is that of the folder of backups.
        var isFolder = entry.Type == RemoteEntryType.Directory;
        if (error is { Error: TransferError.NotFound } && (!_saves || isFolder)) error = null;
        _job.Report(new ItemResult
        {
            Path = item.Path,
            MappedTo = item.MappedTo,
            Action = ItemAction.Delete,
            Type = entry.Type,
            ListedLength = _options.IsPlan ? entry.Length : null,
            ListedModified = _options.IsPlan ? entry.Modified : null,
            Error = error,
            Result = error is null ? new TransferResult { Attempts = 1 } : null
        });
        return error is null;
    }

    private static async ValueTask<IReadOnlyList<TransferException?>> TryAsync(
        ItemPath[] items, Func<IReadOnlyList<string>, CancellationToken, ValueTask<IReadOnlyList<TransferException?>>> delete,
        CancellationToken ct)
    {
        try
        {
            return await delete([.. items.Select(item => item.TargetPath)], ct).ConfigureAwait(false);
        }
        catch (TransferException e)
        {
            return [.. items.Select(_ => e)];
        }
    }
}
