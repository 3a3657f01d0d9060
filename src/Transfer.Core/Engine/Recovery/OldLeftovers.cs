using Transfer.Diagnostics;
using Transfer.Engine.Backups;
using Transfer.Engine.Cleaning;
using Transfer.Engine.Jobs;
using Transfer.Engine.Trees;

namespace Transfer.Engine.Recovery;

/// <summary>
/// Temporary files of runs that no journal knows, in folders that a job lists at the target. Those not written to for a day by the target's
/// own clock are deleted. That clock is read only where a file looks so old by the local one: from the time of a file created for that, in
/// the same kind of listing.
/// </summary>
internal sealed class OldLeftovers
{
    /// <summary>The least age: files of a run under way are younger.</summary>
    internal static readonly TimeSpan Age = TimeSpan.FromDays(1);

    /// <summary>
    /// The delay before a second look: a complete file gets the source's time just before the final name, and looks old until then.
    /// </summary>
    internal static readonly TimeSpan Moment = TimeSpan.FromSeconds(5);

    private const int MostDirectories = 1000; // later runs clean the rest

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

    /// <summary>Notes files in a listed directory that may be old.</summary>
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

    /// <summary>Deletes the old files. Errors go only to the log.</summary>
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
                // The time is requested once; without an answer no file is deleted.
                if (now is null) return;
            }
        }
    }

    // The local clock serves as a first filter only: with a wrong clock, on either side, any file may seem old or new.
    private bool MayBeOld(TreeEntry entry) =>
        entry is { Type: RemoteEntryType.File, Modified: { } modified }
        && TemporaryNames.IsTemporary(entry.Name) && !TemporaryNames.IsMark(entry.Name)
        && !_job.IsOwn(entry.Name) && (_job.Time.GetUtcNow() - modified).Duration() > Age;

    // Listings in minutes do not show summer time, and those in days no time of day.
    private TimeSpan AgeOf(in TreeEntry file) =>
        !ListedTime.IsCoarse(_target.TimePrecision) ? Age : file.ModifiedTicks % TimeSpan.TicksPerDay == 0
        ? 2 * Age : Age + TimeSpan.FromHours(1);

    private ValueTask<DateTimeOffset?> AskTimeAsync(PlannedDirectory directory, CancellationToken ct)
    {
        var name = _job.NextTemporaryName();
        return TargetMark.AskAsync(_job, _target, directory.PathThere(name), async () =>
        {
            using var listed = await _target.ListAsync(directory.TargetPath, ct).ConfigureAwait(false);
            return listed.Entries.FirstOrDefault(entry => entry.Name == name).Modified;
        }, ct);
    }

    private async ValueTask DeleteAsync(PlannedDirectory directory, TreeEntry[] old, CancellationToken ct)
    {
        var left = Moment - _job.Time.GetElapsedTime(_seen);
        if (left > TimeSpan.Zero) await Task.Delay(left, _job.Time, ct).ConfigureAwait(false);
        // By presence, not by absence: files that the listing lacks stay.
        using var listed = await _target.ListAsync(directory.TargetPath, ct).ConfigureAwait(false);
        var now = listed.Entries.ToHashSet();
        string[] paths = [.. old.Where(now.Contains).Select(file => directory.PathThere(file.Name))];
        foreach (var path in paths) Log.OldLeftover(_job.Logger, path);
        if (paths.Length > 0) Leftovers.Gone(paths, await _target.DeleteFilesAsync(paths, ct).ConfigureAwait(false), _job.Logger);
    }
}
