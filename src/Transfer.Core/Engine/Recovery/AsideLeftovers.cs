using Transfer.Diagnostics;
using Transfer.Engine.Jobs;
using Transfer.Engine.Trees;
using Transfer.Replacing;

namespace Transfer.Engine.Recovery;

/// <summary>
/// Asides of any run of any job in a listing of the target. One without an original goes back; partial files of a run with existing
/// asides stay: one of them may hold the new content. In a dry run an aside counts as the original, and stays.
/// </summary>
internal sealed class AsideLeftovers
{
    private readonly EngineJob _job;
    private readonly ITargetTree _target;

    public AsideLeftovers(EngineJob job, ITargetTree target)
    {
        _job = job;
        _target = target;
    }

    /// <summary>Returns the runs with an aside in a directory.</summary>
    public static HashSet<string> RunsIn(IReadOnlyList<TreeEntry> listed)
    {
        var runs = new HashSet<string>(StringComparer.Ordinal);
        foreach (var entry in listed)
        {
            if (AsideNames.RunOf(entry.Name) is { } run) runs.Add(run);
        }
        return runs;
    }

    /// <summary>Puts back asides without an original.</summary>
    /// <param name="directory">The directory.</param>
    /// <param name="listed">The entries before.</param>
    /// <param name="ct">Cancels.</param>
    /// <returns>The entries now.</returns>
    public async ValueTask<IReadOnlyList<TreeEntry>> PutBackAsync(PlannedDirectory directory, IReadOnlyList<TreeEntry> listed,
        CancellationToken ct)
    {
        TreeEntry[] nameless = [.. Nameless(listed)];
        if (nameless.Length == 0) return listed;
        // Another run may be in the midst of a replacement, which is soon over.
        if (!nameless.All(entry => _job.IsOfKnownRun(AsideNames.RunOf(entry.Name)!)))
        {
            await Task.Delay(OldLeftovers.Moment, _job.Time, ct).ConfigureAwait(false);
            using var again = await _target.ListAsync(directory.TargetPath, ct).ConfigureAwait(false);
            listed = again.Entries;
        }
        var present = listed.ToList();
        foreach (var entry in Nameless(listed))
        {
            var name = AsideNames.OriginalOf(entry.Name)!;
            if (!await TryPutBackAsync(directory, entry.Name, name, ct).ConfigureAwait(false)) continue;
            present.Remove(entry);
            present.Add(new TreeEntry(name, entry.Type, entry.RawLength, entry.ModifiedTicks));
        }
        return present;
    }

    private IEnumerable<TreeEntry> Nameless(IReadOnlyList<TreeEntry> listed)
    {
        if (!listed.Any(entry => AsideNames.RunOf(entry.Name) is { } run && !_job.IsOwnRun(run))) return [];
        var names = listed.Select(entry => entry.Name).ToHashSet(_target.Names);
        return listed.Where(
            entry => AsideNames.OriginalOf(entry.Name) is { } original
                && !_job.IsOwnRun(AsideNames.RunOf(entry.Name)!) && !names.Contains(original));
    }

    private async ValueTask<bool> TryPutBackAsync(PlannedDirectory directory, string name, string original, CancellationToken ct)
    {
        var (aside, path) = (directory.PathThere(name), directory.PathThere(original));
        try
        {
            // The listing may lack the original: a file that has the name must not be replaced by the aside.
            var look = (await _target.LookAsync(directory.TargetPath, [original], ct).ConfigureAwait(false))[0];
            if (!look.IsAbsent)
            {
                Log.AsideStays(_job.Logger, path, aside, look.Error?.Message ?? "something has its name");
                _job.ReportKept(_target.PathOf(path), _target.PathOf(aside));
                return false;
            }
            await _target.MoveAsync(aside, path, ct).ConfigureAwait(false);
            if (_target is DryTarget) Log.AsideFound(_job.Logger, path, aside);
            else Log.AsidePutBack(_job.Logger, path);
            return true;
        }
        catch (TransferException e)
        {
            Log.AsideStays(_job.Logger, path, aside, e.Message);
            _job.ReportKept(_target.PathOf(path), _target.PathOf(aside));
            return false;
        }
    }
}
