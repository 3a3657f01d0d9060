using Transfer.Local;

namespace Transfer.Engine.Sync;

/// <summary>Finds out which files of a directory are the same on both sides.</summary>
internal sealed class SyncComparer
{
    /// <summary>Bytes of a file's end that are compared before it is taken for another one.</summary>
    internal const int End = 64 * 1024;

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
                outcomes[i] = await HasSameContentAsync(path, directory.PathThere(pairs[i].Target.Name), token).ConfigureAwait(false);
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

    /// <summary>
    /// True when a file at the target that has another one's length and time may be taken for it: things that were unpacked or built together often have one time. By a
    /// hash, where that is asked for or costs nothing, else by their ends.
    /// </summary>
    public async ValueTask<bool> AllowsMoveAsync(string source, string target, long length, CancellationToken ct)
    {
        var algorithm = FileHash.Choose(_source.Hashes, _target.Hashes);
        if (_options.Compare == SyncCompare.Hash || FileHash.IsAmong(_source.Hashes, algorithm) && FileHash.IsAmong(_target.Hashes, algorithm))
            return await HasSameContentAsync(source, target, ct).ConfigureAwait(false) is { Same: true };
        try
        {
            var ends = await Task.WhenAll(ReadEndAsync(_source, source, length, ct), ReadEndAsync(_target, target, length, ct)).ConfigureAwait(false);
            return ends[0].SequenceEqual(ends[1]);
        }
        catch (Exception e) when (e is TransferException || LocalErrors.IsLocal(e))
        {
            return false; // then it is sent
        }
    }

    private static async Task<byte[]> ReadEndAsync(IFolderTree tree, string path, long length, CancellationToken ct)
    {
        var size = (int)Math.Min(length, End);
        var content = await tree.OpenAsync(path, length - size, ct).ConfigureAwait(false);
        await using var contentEnd = content.ConfigureAwait(false);
        var bytes = new byte[size];
        var read = await content.ReadAtLeastAsync(bytes, size, throwOnEndOfStream: false, ct).ConfigureAwait(false);
        return bytes[..read];
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
