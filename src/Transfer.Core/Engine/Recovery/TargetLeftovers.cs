using Transfer.Engine.Cleaning;
using Transfer.Engine.Jobs;
using Transfer.Engine.Trees;

namespace Transfer.Engine.Recovery;

/// <summary>Unfinished files in the folders that a job fills, which other runs have left there.</summary>
internal sealed class TargetLeftovers
{
    private readonly EngineJob _job;
    private readonly ITargetTree _target;
    private readonly OldLeftovers _old;
    private readonly AsideLeftovers _asides;

    public TargetLeftovers(EngineJob job, ITargetTree target)
    {
        _job = job;
        _target = target;
        _old = new OldLeftovers(job, target);
        _asides = new AsideLeftovers(job, target);
    }

    /// <summary>There were earlier runs of the job: its folders are to be looked through for what they left.</summary>
    public bool AreKnown => _job.Journal is { KnowsEarlierRuns: true };

    /// <summary>Deletes what the job's earlier runs left in a directory and nobody continues. Those of other jobs may be running: see <see cref="OldLeftovers"/>.</summary>
    /// <param name="directory">The directory.</param>
    /// <param name="listed">What it has.</param>
    /// <param name="ct">Cancels.</param>
    /// <returns>What it has now.</returns>
    public async ValueTask<IReadOnlyList<TreeEntry>> CleanAsync(PlannedDirectory directory, IReadOnlyList<TreeEntry> listed, CancellationToken ct)
    {
        listed = await _asides.PutBackAsync(directory, listed, ct).ConfigureAwait(false);
        // While something is aside, its run's unfinished files may hold what is nowhere else.
        var aside = AsideLeftovers.RunsIn(listed);
        _old.Note(directory, aside.Count == 0 ? listed : [.. listed.Where(entry => !IsOf(aside, entry.Name))]);
        if (_job.Journal is not { KnowsEarlierRuns: true } journal) return listed;
        string[] paths = [.. listed.Where(entry => entry.Type != RemoteEntryType.Directory && journal.IsLeftover(entry.Name) && !IsOf(aside, entry.Name)).Select(entry => directory.PathThere(entry.Name))];
        if (paths.Length == 0) return listed;
        var gone = Leftovers.Gone(paths, await _target.DeleteFilesAsync(paths, ct).ConfigureAwait(false), _job.Logger).ToHashSet(StringComparer.Ordinal);
        return [.. listed.Where(entry => !gone.Contains(directory.PathThere(entry.Name)))];
    }

    /// <summary>Everything was sent: what is old of others goes.</summary>
    public Task FinishAsync(CancellationToken ct) => _old.CleanAsync(ct);

    private static bool IsOf(HashSet<string> runs, string name) => TemporaryNames.RunOf(name) is { } run && runs.Contains(run);
}
