using Transfer.Diagnostics;
using Transfer.Engine.Files;
using Transfer.Engine.Jobs;
using Transfer.Engine.Trees;

namespace Transfer.Engine.Sync;

/// <summary>
/// Sources of files that the target has already, in jobs that remove or move their sources: an earlier run may have ended between the
/// arrival of a file and the removal of its source. Such a source goes when the target's file is proved to be the copy: by length and time
/// where both sides have exact times and no hash is asked for, else by content.
/// </summary>
internal sealed class KeptSources(EngineJob job, ISourceTree source, ITargetTree target, SyncOptions options, SyncComparer comparer)
{
    /// <summary>
    /// Returns whether the source of a file may go: the file is complete, and no failure of the last try makes the next one wait.
    /// </summary>
    public bool IsReady(PlannedDirectory directory, in TreeEntry file) =>
        options.Gate?.IsReady(directory.PathOf(file.Name), file.Length, file.Modified) != false;

    /// <summary>Proves that files which compare as equal are copies; one outcome for each, in order.</summary>
    public async ValueTask<SyncOutcome[]> ProveAsync(PlannedDirectory directory, IReadOnlyList<SyncPair> pairs, CancellationToken ct)
    {
        var outcomes = new SyncOutcome[pairs.Count];
        var open = new List<int>();
        for (var i = 0; i < outcomes.Length; i++)
        {
            outcomes[i] = new(IsProved(directory, pairs[i]));
            if (!outcomes[i].Same) open.Add(i);
        }
        if (open.Count > 0) await comparer.CompareContentsAsync(directory, pairs, open, outcomes, ct).ConfigureAwait(false);
        return outcomes;
    }

    /// <summary>The source of a file that both sides have.</summary>
    public SourceFile SourceOf(PlannedDirectory directory, in TreeEntry file)
    {
        var item = directory.ItemOf(file.Name);
        return new SourceFile(source.PathOf(item.Path), item.Path, file.ExactLength, file.Modified, target.PathOf(item.TargetPath));
    }

    /// <summary>Returns whether the source of a file that is proved goes; false: the source stays.</summary>
    /// <exception cref="TransferException">The folders of source and copy are one.</exception>
    public async ValueTask<bool> MayGoAsync(SourceFile file, CancellationToken ct)
    {
        if (await job.Sources!.ProveApartAsync(file, ct).ConfigureAwait(false) is not { } error) return true;
        if (error.Error == TransferError.Denied) throw error;
        Log.SourceStays(job.Logger, file.Path, error.Message);
        return false;
    }

    // The same job has sent the file, and could not remove the source then.
    private bool IsLeft(PlannedDirectory directory, in TreeEntry file) =>
        options.Gate?.IsLeft(directory.ItemOf(file.Name).Path) == true;

    private bool IsProved(PlannedDirectory directory, in SyncPair pair) =>
        options.Compare == SyncComparison.Hash || IsLeft(directory, pair.Source)
        || options.Compare == SyncComparison.Time && options.Verify != VerificationMode.Hash && comparer.HasExactTimes
        && pair is { Source.ExactLength: not null, Target.ExactLength: not null };
}
