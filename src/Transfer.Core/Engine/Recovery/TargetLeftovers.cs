using Transfer.Engine.Cleaning;
using Transfer.Engine.Jobs;
using Transfer.Engine.Trees;

namespace Transfer.Engine.Recovery;

/// <summary>Temporary files of other runs in the folders that a job fills.</summary>
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

    /// <summary>Whether there were earlier runs of the job, with leftovers to search for in the folders.</summary>
    public bool AreKnown => _job.Journal is { KnowsEarlierRuns: true };

    /// <summary>
    /// Deletes leftovers of the job's earlier runs in a directory that no file continues. Other jobs may be running: see
    /// <see cref="OldLeftovers"/>.
    /// </summary>
    /// <param name="directory">The directory.</param>
    /// <param name="listed">The entries before.</param>
    /// <param name="ct">Cancels.</param>
    /// <returns>The entries now.</returns>
    public async ValueTask<IReadOnlyList<TreeEntry>> CleanAsync(PlannedDirectory directory, IReadOnlyList<TreeEntry> listed,
        CancellationToken ct)
    {
        listed = await _asides.PutBackAsync(directory, listed, ct).ConfigureAwait(false);
        // While a run has an aside, the partial files of that run may hold the only copy of a content.
        var aside = AsideLeftovers.RunsIn(listed);
        _old.Note(directory, aside.Count == 0 ? listed : [.. listed.Where(entry => !IsOf(aside, entry.Name))]);
        if (_job.Journal is not { KnowsEarlierRuns: true } journal) return listed;
        string[] paths = [
            .. listed.Where(entry => entry.Type != RemoteEntryType.Directory && journal.IsLeftover(entry.Name) && !IsOf(aside, entry.Name))
                .Select(entry => directory.PathThere(entry.Name))];
        if (paths.Length == 0) return listed;
        var gone = Leftovers.Gone(paths, await _target.DeleteFilesAsync(paths, ct).ConfigureAwait(false),
            _job.Logger).ToHashSet(StringComparer.Ordinal);
        return [.. listed.Where(entry => !gone.Contains(directory.PathThere(entry.Name)))];
    }

    /// <summary>Deletes old leftovers of other jobs, when all files have ended.</summary>
    public Task FinishAsync(CancellationToken ct) => _old.CleanAsync(ct);

    private static bool IsOf(HashSet<string> runs, string name) => TemporaryNames.RunOf(name) is { } run && runs.Contains(run);
}
