using Transfer.Diagnostics;
using Transfer.Engine.Cleaning;
using Transfer.Engine.Jobs;
using Transfer.Engine.Trees;

namespace Transfer.Engine.Recovery;

/// <summary>
/// Unfinished files of runs that no journal knows, in folders that a job lists at its target. Those go that nobody has written to for a day by the target's own clock, which
/// is asked for only where one looks so by ours: it is the time of a file that is made for that, in the same kind of listing.
/// </summary>
internal sealed class OldLeftovers
{
    /// <summary>Files of a run that is under way are younger.</summary>
    internal static readonly TimeSpan Age = TimeSpan.FromDays(1);

    /// <summary>A file that is whole gets its source's time just before its name, and looks old so long: it is looked at again after this.</summary>
    internal static readonly TimeSpan Moment = TimeSpan.FromSeconds(5);

    private const int MostDirectories = 1000; // the rest another time

    private readonly Lock _gate = new();
    private readonly List<(PlannedDirectory Directory, IReadOnlyList<TreeEntry> Files)> _found = [];
    private readonly EngineJob _job;
    private readonly ITargetTree _target;
    private long _seen;

    public OldLeftovers(EngineJob job, ITargetTree target)
    {
        _job = job;
        _target = target;
    }

    /// <summary>Takes note of what may be old in a directory that has been listed.</summary>
    public void Note(PlannedDirectory directory, IReadOnlyList<TreeEntry> listed)
    {
        TreeEntry[] files = [.. listed.Where(MayBeOld)];
        if (files.Length == 0) return;
        lock (_gate)
        {
            if (_found.Count == MostDirectories) return;
            _found.Add((directory, files));
            _seen = _job.Time.GetTimestamp();
        }
    }

    /// <summary>Deletes what is old. What can't be is told to the log only.</summary>
    public async Task CleanAsync(CancellationToken ct)
    {
        DateTimeOffset? now = null;
        foreach (var (directory, files) in _found)
        {
            try
            {
                now ??= await AskTimeAsync(directory, ct).ConfigureAwait(false);
                if (now is not { } time) return;
                TreeEntry[] old = [.. files.Where(file => file.Modified < time - AgeOf(file))];
                if (old.Length > 0) await DeleteAsync(directory, old, ct).ConfigureAwait(false);
            }
            catch (TransferException e)
            {
                foreach (var file in files) Log.Leftover(_job.Logger, directory.PathThere(file.Name), e.Message);
                // Who does not know the time asks once.
                if (now is null) return;
            }
        }
    }

    // A clock that is far off, either way, may make anything look like anything.
    private bool MayBeOld(TreeEntry entry) =>
        entry is { Type: RemoteEntryType.File, Modified: { } modified } && TemporaryNames.IsTemporary(entry.Name) && !TemporaryNames.IsMark(entry.Name)
        && !_job.IsOwn(entry.Name) && (_job.Time.GetUtcNow() - modified).Duration() > Age;

    // Listings of minutes know nothing of summer time, and those of days no time.
    private TimeSpan AgeOf(in TreeEntry file) =>
        !ListedTime.IsCoarse(_target.TimePrecision) ? Age : file.ModifiedTicks % TimeSpan.TicksPerDay == 0 ? 2 * Age : Age + TimeSpan.FromHours(1);

    private async ValueTask<DateTimeOffset?> AskTimeAsync(PlannedDirectory directory, CancellationToken ct)
    {
        var name = _job.NextTemporaryName();
        await _target.CreateFileAsync(directory.PathThere(name), ct).ConfigureAwait(false);
        try
        {
            using var listed = await _target.ListAsync(directory.TargetPath, ct).ConfigureAwait(false);
            return listed.Entries.FirstOrDefault(entry => entry.Name == name).Modified;
        }
        finally
        {
            await DeleteAsync([directory.PathThere(name)], CancellationToken.None).ConfigureAwait(false);
        }
    }

    private async ValueTask DeleteAsync(PlannedDirectory directory, TreeEntry[] old, CancellationToken ct)
    {
        var left = Moment - _job.Time.GetElapsedTime(_seen);
        if (left > TimeSpan.Zero) await Task.Delay(left, _job.Time, ct).ConfigureAwait(false);
        // By what is there, not by what is absent: a listing that lacks some of it leaves some of it.
        using var listed = await _target.ListAsync(directory.TargetPath, ct).ConfigureAwait(false);
        var now = listed.Entries.ToHashSet();
        string[] paths = [.. old.Where(now.Contains).Select(file => directory.PathThere(file.Name))];
        foreach (var path in paths) Log.OldLeftover(_job.Logger, path);
        if (paths.Length > 0) await DeleteAsync(paths, ct).ConfigureAwait(false);
    }

    private async ValueTask DeleteAsync(string[] paths, CancellationToken ct) =>
        Leftovers.Gone(paths, await _target.DeleteFilesAsync(paths, ct).ConfigureAwait(false), _job.Logger);
}
