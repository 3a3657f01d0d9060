using Transfer.Contents;
using Transfer.Engine.Jobs;
using Transfer.Engine.Trees;
using Transfer.Local;

namespace Transfer.Engine.Sync;

/// <summary>Compares the files of a directory on both sides.</summary>
internal sealed class SyncComparer
{
    private readonly EngineJob _job;
    private readonly ISourceTree _source;
    private readonly ITargetTree _target;
    private readonly SyncOptions _options;
    private readonly int _parallel;
    private readonly SyncTimes _times;

    public SyncComparer(EngineJob job, ISourceTree source, ITargetTree target, SyncOptions options, int parallel)
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
            if (pairs[i] is { Source.ExactLength: { } ours, Target.ExactLength: { } theirs } && ours != theirs) continue;
            if (_options.Compare == SyncComparison.Size)
                outcomes[i] = new(pairs[i] is { Source.ExactLength: not null, Target.ExactLength: not null });
            else open.Add(i);
        }
        if (open.Count == 0) return outcomes;
        if (_options.Compare == SyncComparison.Hash)
        {
            await CompareContentsAsync(directory, pairs, open, outcomes, ct).ConfigureAwait(false);
            return outcomes;
        }
        var same = await _times.CompareAsync(directory, [.. open.Select(i => pairs[i])], ct).ConfigureAwait(false);
        for (var i = 0; i < open.Count; i++) outcomes[open[i]] = new(same[i]);
        return outcomes;
    }

    /// <summary>Compares files by hashes of their contents; content of a side that computes no hashes is read.</summary>
    /// <param name="directory">The directory of the files.</param>
    /// <param name="pairs">Files of the directory.</param>
    /// <param name="which">The indexes of those to compare.</param>
    /// <param name="outcomes">Receives their outcomes, at their indexes.</param>
    /// <param name="ct">Cancels.</param>
    public Task CompareContentsAsync(
        PlannedDirectory directory, IReadOnlyList<SyncPair> pairs, IReadOnlyList<int> which, SyncOutcome[] outcomes,
        CancellationToken ct) =>
        Parallel.ForEachAsync(which, new ParallelOptions { MaxDegreeOfParallelism = _parallel, CancellationToken = ct }, async (i, token) =>
        {
            var path = directory.PathOf(pairs[i].Source.Name);
            outcomes[i] = await HasSameContentAsync(path, directory.PathThere(pairs[i].Target.Name), token).ConfigureAwait(false);
        });

    /// <summary>Whether the target's files have the source's times, and listings of both sides show them to the second.</summary>
    public bool HasExactTimes => _times.AreExact;

    /// <summary>Whether the target's files have the source's times.</summary>
    public bool KeepsTimes => _times.KeepsTimes;

    /// <summary>The difference of times below which two files count as one that was moved.</summary>
    public TimeSpan MoveStep => _times.ExactStep;

    /// <summary>Returns files of the target with their most exact times.</summary>
    public ValueTask<IReadOnlyList<TreeEntry>> ExactAsync(PlannedDirectory directory, IReadOnlyList<TreeEntry> files,
        CancellationToken ct) =>
        _times.ExactAsync(directory, files, ct);

    /// <summary>
    /// Returns whether a file of the target has the whole content of one of the source, by hashes that both sides compute in place: files
    /// unpacked or built together often have one time and one end. Fetching a file for that would cost as much as sending one.
    /// </summary>
    public async ValueTask<bool> HaveOneContentAsync(string source, string target, CancellationToken ct)
    {
        var algorithm = FileHash.Choose(_source.Hashes, _target.Hashes);
        // First the side that may have no hashes: those of the other one may take long.
        var sides = new (IFolderTree Tree, string Path)[] { (_source, source), (_target, target) };
        if (_target.Hashes.Count < _source.Hashes.Count) Array.Reverse(sides);
        try
        {
            return await sides[0].Tree.TryHashAsync(sides[0].Path, algorithm, ct).ConfigureAwait(false) is { } one
                && await sides[1].Tree.TryHashAsync(sides[1].Path, algorithm, ct).ConfigureAwait(false) is { } other
                && one.Equals(other, StringComparison.OrdinalIgnoreCase);
        }
        catch (Exception e) when (e is TransferException || LocalErrors.IsLocal(e))
        {
            return false; // the file is sent then
        }
    }

    private async ValueTask<SyncOutcome> HasSameContentAsync(string source, string target, CancellationToken ct)
    {
        try
        {
            var algorithm = FileHash.Choose(_source.Hashes, _target.Hashes);
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
