using System.IO.Enumeration;
using Microsoft.Extensions.Logging;
using Microsoft.Win32.SafeHandles;
using Transfer.Engine;
using Transfer.Local;

namespace Transfer.Batch.Archive.Unpacking;

/// <summary>
/// Deletes what receivers that were killed have left in a target: files of runs whose <see cref="RunMark"/> nobody holds. What has no mark may be of anybody, and stays.
/// </summary>
internal static class KilledRuns
{
    // Slices that were confirmed belong to a sender who may come back.
    private static readonly TimeSpan Patience = TimeSpan.FromDays(1);

    // Not everywhere do locks reach from one machine to another, and a job may take days.
    private static readonly TimeSpan PatienceWithOthers = TimeSpan.FromDays(30);

    /// <summary>Looks for them. Only where there are any the folders below the target are looked through.</summary>
    /// <param name="folder">The target; it need not be there.</param>
    /// <param name="time">The clock.</param>
    /// <param name="logger">Is told of what is deleted.</param>
    /// <param name="ct">Ends it early, without an exception; the next one goes on.</param>
    public static void Clean(string folder, TimeProvider time, ILogger logger, CancellationToken ct)
    {
        var marks = new Dictionary<string, (SafeFileHandle Mark, DateTime Before)>();
        try
        {
            if (!Directory.Exists(folder)) return;
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

    private static void Take(string folder, TimeProvider time, Dictionary<string, (SafeFileHandle Mark, DateTime Before)> marks)
    {
        foreach (var path in Directory.EnumerateFiles(folder, TemporaryNames.MarkOf("*"), new EnumerationOptions { AttributesToSkip = FileAttributes.ReparsePoint }))
        {
            var name = Path.GetFileName(path);
            if (!TemporaryNames.IsMark(name) || TemporaryNames.RunOf(name) is not { } run || RunMark.TryTake(path) is not { } mark) continue;
            var (kind, isOfThisMachine) = RunMark.Read(mark);
            var before = (time.GetUtcNow() - Patience).UtcDateTime;
            if (!isOfThisMachine && File.GetLastWriteTimeUtc(mark) >= (time.GetUtcNow() - PatienceWithOthers).UtcDateTime) mark.Dispose();
            else marks.Add(run, (mark, kind == RunMark.OfOneProcess ? DateTime.MaxValue : before));
        }
    }

    private static void Delete(string folder, Dictionary<string, (SafeFileHandle Mark, DateTime Before)> marks, ILogger logger, CancellationToken ct)
    {
        var deleted = 0;
        var kept = new HashSet<string>();
        foreach (var path in Find(folder, marks.Keys, ct))
        {
            if (ct.IsCancellationRequested) return;
            var run = TemporaryNames.RunOf(Path.GetFileName(path))!;
            if (File.GetLastWriteTimeUtc(path) >= marks[run].Before)
            {
                kept.Add(run);
                continue;
            }
            LocalFiles.Discard(path, logger);
            deleted++;
        }
        foreach (var (run, (mark, _)) in marks)
        {
            // Windows deletes nothing that is open so. Who takes it between finds nothing either.
            mark.Dispose();
            if (!kept.Contains(run)) LocalFiles.Discard(Path.Join(folder, TemporaryNames.MarkOf(run)), logger);
        }
        Log.LeftoversDeleted(logger, deleted, folder);
    }

    // Through no link: what is behind one is another folder's.
    private static List<string> Find(string folder, ICollection<string> runs, CancellationToken ct) =>
    [
        .. new FileSystemEnumerable<string>(
            folder, (ref FileSystemEntry entry) => entry.ToFullPath(), new EnumerationOptions { RecurseSubdirectories = true, AttributesToSkip = 0, IgnoreInaccessible = true })
        {
            ShouldRecursePredicate = (ref FileSystemEntry entry) => !ct.IsCancellationRequested && !IsLink(ref entry),
            ShouldIncludePredicate = (ref FileSystemEntry entry) => (!entry.IsDirectory || IsLink(ref entry)) && IsOf(entry.FileName, runs),
        },
    ];

    private static bool IsLink(ref FileSystemEntry entry) => (entry.Attributes & FileAttributes.ReparsePoint) != 0;

    private static bool IsOf(ReadOnlySpan<char> name, ICollection<string> runs) =>
        name.Length > 0 && name[0] == '.' && name.ToString() is var text && TemporaryNames.RunOf(text) is { } run && runs.Contains(run) && !TemporaryNames.IsMark(text);
}
