using Microsoft.Extensions.Logging;
using Transfer.Local;

namespace Transfer.Batch.Archive.Unpacking;

/// <summary>
/// Deletes the leftovers of killed receivers in a target: files of runs with an unlocked <see cref="RunMark"/>. Files without a mark may
/// belong to any program, and stay.
/// </summary>
internal static class KilledRuns
{
    // Confirmed slices belong to a sender that may return. A mark's content is written at once, and seen by all machines much sooner.
    private static readonly TimeSpan Patience = TimeSpan.FromDays(1);

    // Not everywhere do locks reach from one machine to another, and a job may take days.
    private static readonly TimeSpan PatienceWithOthers = TimeSpan.FromDays(30);

    /// <summary>Deletes leftovers. The folders below the target are searched only if there are marks of killed runs.</summary>
    /// <param name="folder">The target, which may be missing.</param>
    /// <param name="time">The clock.</param>
    /// <param name="logger">Logs the deletions.</param>
    /// <param name="ct">Ends the work early, without an exception; the next run goes on.</param>
    public static void Clean(string folder, TimeProvider time, ILogger logger, CancellationToken ct)
    {
        var marks = new Dictionary<string, (LockedFile Mark, DateTime Before)>();
        try
        {
            if (!DiskDirectories.Exists(folder)) return;
            Take(folder, time, marks);
            if (marks.Count > 0) Delete(folder, marks, logger, ct);
        }
        catch (Exception e) when (LocalErrors.IsLocal(e))
        {
            Log.LeftoversStay(logger, folder, e.Message);
        }
        finally
        {
            foreach (var (mark, _) in marks.Values) mark.Dispose();
        }
    }

    private static void Take(string folder, TimeProvider time, Dictionary<string, (LockedFile Mark, DateTime Before)> marks)
    {
        // Through no link.
        foreach (var name in DiskDirectories.Names(folder).Where(TemporaryNames.IsMark))
        {
            var path = Path.Join(folder, name);
            if (LocalLinks.IsLink(path) || TemporaryNames.RunOf(name) is not { } run || RunMark.TryTake(path) is not { } mark) continue;
            var (kind, isOfThisMachine) = RunMark.Read(mark);
            var now = time.GetUtcNow().UtcDateTime;
            var patience = isOfThisMachine is null ? Patience : PatienceWithOthers;
            if (isOfThisMachine != true && FileStatus.Of(mark.Handle, path).Modified >= now - patience) mark.Dispose();
            else marks.Add(run, (mark, kind == RunMark.OfOneProcess ? DateTime.MaxValue : now - Patience));
        }
    }

    private static void Delete(string folder, Dictionary<string, (LockedFile Mark, DateTime Before)> marks, ILogger logger,
        CancellationToken ct)
    {
        var deleted = 0;
        var kept = new HashSet<string>();
        foreach (var path in Find(folder, marks.Keys, ct))
        {
            if (ct.IsCancellationRequested) return;
            var run = TemporaryNames.RunOf(Path.GetFileName(path))!;
            if (FileStatus.Find(path, follow: false)?.Modified >= marks[run].Before)
            {
                kept.Add(run);
                continue;
            }
            DiskFiles.Discard(path, logger);
            deleted++;
        }
        foreach (var (run, (mark, _)) in marks)
        {
            // Windows deletes no file that is open like this. Another receiver that locks the mark in between finds nothing to delete.
            mark.Dispose();
            if (!kept.Contains(run)) DiskFiles.Discard(Path.Join(folder, TemporaryNames.MarkOf(run)), logger);
        }
        Log.LeftoversDeleted(logger, deleted, folder);
    }

    // Follows no links, which lead into other folders. Folders that may not be read are passed over.
    private static List<string> Find(string folder, ICollection<string> runs, CancellationToken ct)
    {
        var found = new List<string>();
        var pending = new Stack<string>([folder]);
        while (!ct.IsCancellationRequested && pending.TryPop(out var at))
        {
            try
            {
                foreach (var path in DiskDirectories.Names(at).Select(name => Path.Join(at, name)))
                {
                    if (FileStatus.Find(path, follow: false) is { Type: RemoteEntryType.Directory }) pending.Push(path);
                    else if (IsOf(Path.GetFileName(path), runs)) found.Add(path);
                }
            }
            catch (Exception e) when (LocalErrors.IsLocal(e) && at != folder)
            {
                continue;
            }
        }
        return found;
    }

    private static bool IsOf(string name, ICollection<string> runs) =>
        TemporaryNames.RunOf(name) is { } run && runs.Contains(run) && !TemporaryNames.IsMark(name);
}
