using Transfer.Diagnostics;
using Transfer.Engine.Jobs;
using Transfer.Engine.Trees;

namespace Transfer.Engine.Sync;

/// <summary>
/// Holds new files back until all extra entries of the target are known. Where exactly one extra file has a new file's length and time, and
/// the hash of the whole content, that file is renamed at the target; the rest is sent.
/// </summary>
internal sealed class MoveFinder
{
    /// <summary>The most new files that are held back; further ones are sent at once.</summary>
    internal const int Capacity = 100_000;

    private readonly Lock _gate = new();
    private readonly List<(PlannedDirectory Directory, TreeEntry File)> _held = [];
    private readonly EngineJob _job;
    private readonly ITargetTree _target;
    private readonly SyncComparer _comparer;
    private readonly SyncDeletions _deletions;
    private readonly int _parallel;
    private readonly Func<PlannedDirectory, TreeEntry, ValueTask> _send;

    public MoveFinder(
        EngineJob job, ITargetTree target, SyncComparer comparer, SyncDeletions deletions, int parallel,
        Func<PlannedDirectory, TreeEntry, ValueTask> send)
    {
        _job = job;
        _target = target;
        _comparer = comparer;
        _deletions = deletions;
        _parallel = parallel;
        _send = send;
    }

    /// <summary>Holds a file back that may have been moved. False: the file can only be sent.</summary>
    public bool TryHold(PlannedDirectory directory, TreeEntry file)
    {
        if (file is not { ExactLength: > 0, ModifiedTicks: > 0 } || !_comparer.KeepsTimes) return false;
        lock (_gate)
        {
            if (_held.Count >= Capacity) return false;
            _held.Add((directory, file));
            return true;
        }
    }

    /// <summary>Renames, and sends the rest.</summary>
    public async ValueTask RunAsync(CancellationToken ct)
    {
        var gone = await FindAsync(ct).ConfigureAwait(false);
        var moves = new List<Move>();
        var sent = new List<(PlannedDirectory Directory, TreeEntry File)>();
        foreach (var alike in _held.GroupBy(held => KeyOf(held.File)))
        {
            var files = alike.ToList();
            var before = gone[alike.Key].ToList();

            // One for one; or, of several alike, those that have kept their names.
            SyncExtra? only = files.Count == 1 && before.Count == 1 ? before[0] : null;
            var names = files.CountBy(held => held.Directory.NameThere(held.File.Name)).Where(name => name.Value == 1)
                .Select(name => name.Key).ToHashSet();
            var named = before.GroupBy(extra => extra.Entry.Name).Where(group =>
                group.Count() == 1 && names.Contains(group.Key)).ToDictionary(group => group.Key, group => group.Single());
            foreach (var (directory, file) in files)
            {
                if ((only ?? Find(named, directory.NameThere(file.Name))) is { } extra) moves.Add(new(directory, file, extra));
                else sent.Add((directory, file));
            }
        }
        await Parallel.ForEachAsync(
            moves, new ParallelOptions { MaxDegreeOfParallelism = _parallel, CancellationToken = ct }, MoveAsync).ConfigureAwait(false);
        foreach (var (directory, file) in sent) await _send(directory, file).ConfigureAwait(false);
    }

    // The extra files that may have been moved, by length and time.
    private async ValueTask<ILookup<(long Length, long Time), SyncExtra>> FindAsync(CancellationToken ct)
    {
        var lengths = _held.Select(held => held.File.RawLength).ToHashSet();
        var found = new List<SyncExtra>();
        foreach (var group in _deletions.Files.Where(
            extra => extra.Entry is { Type: RemoteEntryType.File, IsLengthApproximate: false } && lengths.Contains(extra.Entry.RawLength))
            .GroupBy(extra => extra.Directory))
        {
            var exact = await _comparer.ExactAsync(group.Key, [.. group.Select(extra => extra.Entry)], ct).ConfigureAwait(false);
            found.AddRange(exact.Where(entry => entry.ModifiedTicks > 0).Select(entry => new SyncExtra(group.Key, entry)));
        }
        return found.ToLookup(extra => KeyOf(extra.Entry));
    }

    private static SyncExtra? Find(Dictionary<string, SyncExtra> named, string name) =>
        named.TryGetValue(name, out var extra) ? extra : null;

    private (long Length, long Time) KeyOf(in TreeEntry file) => (file.RawLength, file.ModifiedTicks / _comparer.MoveStep.Ticks);

    private async ValueTask MoveAsync(Move move, CancellationToken ct)
    {
        var (from, to) = (move.Before.Item, move.Directory.ItemOf(move.File.Name));
        if (await _comparer.HaveOneContentAsync(to.Path, from.TargetPath, ct).ConfigureAwait(false))
        {
            try
            {
                await _target.MoveAsync(from.TargetPath, to.TargetPath, ct).ConfigureAwait(false);
                _deletions.Forget(move.Before);
                _job.Report(new ItemResult
                {
                    Path = to.Path,
                    MappedTo = to.MappedTo,
                    Action = ItemAction.Move,
                    MovedFrom = from.TargetPath,
                    Result = new TransferResult { Attempts = 1 }
                });
                return;
            }
            catch (TransferException e)
            {
                Log.MoveFailed(_job.Logger, from.TargetPath, to.TargetPath, e.Message);
            }
        }
        await _send(move.Directory, move.File).ConfigureAwait(false);
    }

    private readonly record struct Move(PlannedDirectory Directory, TreeEntry File, SyncExtra Before);
}
