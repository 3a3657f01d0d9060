namespace Transfer.Engine.Sync;

/// <summary>Finds out which files of a directory are the same on both sides.</summary>
internal sealed class SyncComparer
{
    private readonly TransferJob _job;
    private readonly ISourceTree _source;
    private readonly ITargetTree _target;
    private readonly SyncOptions _options;
    private readonly int _parallel;
    private readonly SyncTimes _times;

    public SyncComparer(TransferJob job, ISourceTree source, ITargetTree target, SyncOptions options, int parallel)
    {
        _job = job;
        _source = source;
        _target = target;
        _options = options;
        _parallel = parallel;
        _times = new SyncTimes(job.Logger, source, target, options.PreserveModified);
    }

    /// <summary>Compares; one outcome for each, in order.</summary>
    public async ValueTask<SyncOutcome[]> CompareAsync(PlannedDirectory directory, IReadOnlyList<SyncPair> pairs, CancellationToken ct)
    {
        var outcomes = new SyncOutcome[pairs.Count];
        var open = new List<int>();
        for (var i = 0; i < outcomes.Length; i++)
        {
            if (pairs[i] is { Source.Length: { } ours, Target.Length: { } theirs } && ours != theirs) continue;
            if (_options.Compare == SyncCompare.Size) outcomes[i] = new(pairs[i] is { Source.Length: not null, Target.Length: not null });
            else open.Add(i);
        }
        if (open.Count == 0) return outcomes;
        if (_options.Compare == SyncCompare.Hash)
        {
            await Parallel.ForEachAsync(open, new ParallelOptions { MaxDegreeOfParallelism = _parallel, CancellationToken = ct }, async (i, token) =>
            {
                var path = directory.PathOf(pairs[i].Source.Name);
                outcomes[i] = await HasSameContentAsync(path, directory.PathOf(pairs[i].Target.Name), token).ConfigureAwait(false);
            }).ConfigureAwait(false);
            return outcomes;
        }
        var same = await _times.CompareAsync(directory, [.. open.Select(i => pairs[i])], ct).ConfigureAwait(false);
        for (var i = 0; i < open.Count; i++) outcomes[open[i]] = new(same[i]);
        return outcomes;
    }

    /// <summary>The target's files have the source's times.</summary>
    public bool KeepsTimes => _times.KeepsTimes;

    /// <summary>What the times of two files may differ by, below it, and be one.</summary>
    public TimeSpan MoveStep => _times.ExactStep;

    /// <summary>Files of the target with their times as exactly as they can be had.</summary>
    public ValueTask<IReadOnlyList<TreeEntry>> ExactAsync(PlannedDirectory directory, IReadOnlyList<TreeEntry> files, CancellationToken ct) =>
        _times.ExactAsync(directory, files, ct);

    /// <summary>True when a file at the target that has another one's length and time may be taken for it.</summary>
    public async ValueTask<bool> AllowsMoveAsync(string source, string target, CancellationToken ct) =>
        _options.Compare != SyncCompare.Hash || await HasSameContentAsync(source, target, ct).ConfigureAwait(false) is { Same: true };

    private async ValueTask<SyncOutcome> HasSameContentAsync(string source, string target, CancellationToken ct)
    {
        try
        {
            var algorithm = FileHash.Choose(_source, _target);
            var ours = _source.HashAsync(source, algorithm, ct).AsTask();
            var theirs = _target.HashAsync(target, algorithm, ct).AsTask();
            await Task.WhenAll(ours, theirs).ConfigureAwait(false);
            var (one, other) = (await ours.ConfigureAwait(false), await theirs.ConfigureAwait(false));
            if (one.ReadBack) _job.ReadBack();
            if (other.ReadBack) _job.ReadBack();
            return new(string.Equals(one.Digits, other.Digits, StringComparison.OrdinalIgnoreCase));
        }
        catch (TransferException e)
        {
            return new(false, e);
        }
    }
}
