using Transfer.Engine.Backups;
using Transfer.Engine.Jobs;
using Transfer.Engine.Trees;
using Transfer.Names;
using Transfer.Sessions;

namespace Transfer.Engine.Sync;

/// <summary>The rule of a synchronisation: entries of both sides are compared, extra ones deleted, moved or left, by the options.</summary>
internal sealed class SyncRule : IFolderRule
{
    private readonly EngineJob _job;
    private readonly ISourceTree _source;
    private readonly ITargetTree _target;
    private readonly SyncOptions _options;
    private readonly Func<PlannedDirectory, TreeEntry, ValueTask> _send;
    private readonly SyncComparer _comparer;
    private readonly MoveFinder? _moves;
    private readonly SyncDeletions? _deletions;
    private readonly KeptSources? _keptSources;
    private bool _fresh;

    /// <param name="job">The job, to which all results are reported.</param>
    /// <param name="source">The folder to read.</param>
    /// <param name="target">The folder to change.</param>
    /// <param name="options">The options.</param>
    /// <param name="parallel">The most requests at once.</param>
    /// <param name="send">Takes over a file to send.</param>
    /// <param name="backup">The folder for entries that would be deleted; null: they are deleted.</param>
    public SyncRule(
        EngineJob job, ISourceTree source, ITargetTree target, SyncOptions options, int parallel,
        Func<PlannedDirectory, TreeEntry, ValueTask> send,
        BackupFolder? backup = null)
    {
        _job = job;
        _source = source;
        _target = target;
        _options = options;
        _send = send;
        _comparer = new SyncComparer(job, source, target, options, parallel);
        if (options.DisposesSource && !options.DryRun) _keptSources = new KeptSources(job, source, target, options, _comparer);
        if (!options.Delete) return;
        _deletions = new SyncDeletions(job, target, parallel, options, backup);
        if (options.DetectMoves) _moves = new MoveFinder(job, target, _comparer, _deletions, parallel, send);
    }

    public bool WalksTarget => true;

    public bool ListsTarget => true;

    public bool MayFindAll => true;

    public void Begin(bool fresh) => _fresh = fresh;

    public bool NeedsTarget(IReadOnlyList<TreeEntry> entries) => true;

    // A differing file is replaced in any case.
    public bool NeedsAbsence => false;

    // What is deleted has to be all that the source lacks.
    public bool PresenceSuffices => _deletions is null;

    public async ValueTask FilesAsync(
        PlannedDirectory directory, IReadOnlyList<TreeEntry> files, IReadOnlyDictionary<string, TreeEntry>? existing, CancellationToken ct)
    {
        var pairs = new List<SyncPair>();
        foreach (var file in files)
        {
            if (existing is null || !existing.TryGetValue(directory.NameThere(file.Name), out var there))
                await AddAsync(directory, file).ConfigureAwait(false);
            else if (Blocks(directory.ItemOf(file.Name), there)) continue;
            else if (there.Type == RemoteEntryType.File) pairs.Add(new(file, there));
            else await _send(directory, file).ConfigureAwait(false); // instead of a link
        }
        if (pairs.Count == 0) return;
        var outcomes = await _comparer.CompareAsync(directory, pairs, ct).ConfigureAwait(false);
        List<SyncPair> going = [];
        for (var i = 0; i < pairs.Count; i++)
        {
            if (!outcomes[i].Same) await ActAsync(directory, pairs[i], outcomes[i].Error).ConfigureAwait(false);
            else if (_keptSources is null) Keep(directory, pairs[i].Source.Name, RemoteEntryType.File);
            else if (_keptSources.IsReady(directory, pairs[i].Source)) going.Add(pairs[i]);
        }
        if (_keptSources is not null) await KeepAsync(directory, going, _keptSources, ct).ConfigureAwait(false);
    }

    public void Matched(int entries) => _deletions?.Matched(entries);

    public bool Link(PlannedDirectory directory, TreeEntry link, string text, TreeEntry? there, string? textThere)
    {
        if (there is not { } existing) return true;
        if (Blocks(directory.ItemOf(link.Name), existing)) return false;
        if (existing.Type != RemoteEntryType.Link || textThere != text) return true;
        Keep(directory, link.Name, RemoteEntryType.Link);
        return false;
    }

    public void Extra(PlannedDirectory directory, TreeEntry? entry, DirectoryProof? proof = null)
    {
        if (_deletions is null) return;
        if (entry is { } file)
        {
            var extra = new SyncExtra(directory, file, proof);
            if (IsAsPlanned(directory, extra.Item, file)) _deletions.Add(extra);
        }
        else if (IsAsPlanned(directory, directory.Item, new(string.Empty, RemoteEntryType.Directory, -1, 0)))
        {
            _deletions.Add(directory);
        }
    }

    public void Spare(PlannedDirectory directory) => _deletions?.Spare(directory);

    public async ValueTask CompleteAsync(long found, CancellationToken ct)
    {
        _deletions?.LeaveSpared();
        var isAnythingToGo = _deletions is { IsEmpty: false };
        if (DeletionRules.IsRefusedForEmptySource(found, isAnythingToGo, _options.DeleteForEmptySource)
            && (_options.Only is null || !await SourceSearch.HasFileAsync(_source, ct).ConfigureAwait(false)))
        {
            throw new TransferException(
                TransferError.Denied,
                "There is not a single file at the source: nothing is deleted at the target, unless that is asked for explicitly.");
        }
        if (_deletions is { HasDirectories: true } && !_options.DryRun)
            await SourceOutside.CheckAsync(_job, _source, _target, ct).ConfigureAwait(false);
        if (_moves is not null) await _moves.RunAsync(ct).ConfigureAwait(false);
    }

    public Task FinishAsync(CancellationToken ct) => _deletions is null or { IsEmpty: true } ? Task.CompletedTask : _deletions.RunAsync(ct);

    // Of a plan that is applied, an entry goes only while it is the one that was planned.
    private bool IsAsPlanned(PlannedDirectory directory, ItemPath item, in TreeEntry now)
    {
        if (_options.Steps is not { } steps) return true;
        var step = steps.DeletionOf(item.Path);
        if (step is not null && DeletionRules.IsAsPlanned(step, now, _target.TimePrecision)) return true;
        directory.Keep();
        if (step is null) return false;
        _job.Report(new ItemResult
        {
            Path = item.Path,
            MappedTo = item.MappedTo,
            Action = ItemAction.Delete,
            Type = now.Type,
            Error = new TransferException(TransferError.Integrity,
                $"{item.TargetPath} has changed since the plan was made, and is left: a new plan deletes it.")
            { RemotePath = item.TargetPath },
        });
        return false;
    }

    // A new file may be a renamed one of the target, which shows once all entries are known.
    private async ValueTask AddAsync(PlannedDirectory directory, TreeEntry file)
    {
        if (_fresh || _moves is null || !directory.IsNewAndEmpty && !directory.Side.IsKnown || !_moves.TryHold(directory, file))
            await _send(directory, file).ConfigureAwait(false);
    }

    private bool Blocks(ItemPath item, in TreeEntry there)
    {
        if (there.Type is RemoteEntryType.File or RemoteEntryType.Link) return false;
        _job.Fail(item,
            new TransferException(TransferError.Exists,
                $"{item.TargetPath} is no file at the target: an entry of another kind is not replaced."));
        return true;
    }

    private ValueTask ActAsync(PlannedDirectory directory, in SyncPair pair, TransferException? error)
    {
        if (error is null) return _send(directory, pair.Source);
        _job.Fail(directory.ItemOf(pair.Source.Name), error);
        return default;
    }

    // A file that only seems to be the copy is sent.
    private async ValueTask KeepAsync(PlannedDirectory directory, List<SyncPair> going, KeptSources sources, CancellationToken ct)
    {
        var proofs = await sources.ProveAsync(directory, going, ct).ConfigureAwait(false);
        for (var i = 0; i < going.Count; i++)
        {
            if (!proofs[i].Same)
            {
                await ActAsync(directory, going[i], proofs[i].Error).ConfigureAwait(false);
                continue;
            }
            var file = going[i].Source;
            var source = sources.SourceOf(directory, file);
            var goes = await sources.MayGoAsync(source, ct).ConfigureAwait(false);
            Keep(directory, file.Name, RemoteEntryType.File, goes);
            if (goes) _job.Sources?.Add(directory.ItemOf(file.Name), source);
        }
    }

    private void Keep(PlannedDirectory directory, string name, RemoteEntryType type, bool losesSource = false)
    {
        var item = directory.ItemOf(name);
        _job.Report(new ItemResult
        {
            Path = item.Path,
            MappedTo = item.MappedTo,
            Action = ItemAction.Keep,
            Type = type,
            LosesSource = losesSource,
            Group = directory.IsMergedAt(name) ? directory.GroupOf(name) : null,
            Result = new TransferResult { Skipped = true }
        });
    }
}
