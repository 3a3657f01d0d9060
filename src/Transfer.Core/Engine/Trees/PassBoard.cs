using System.Diagnostics.CodeAnalysis;
using Transfer.Sessions;

namespace Transfer.Engine.Trees;

/// <summary>
/// The work of a <see cref="TreePass"/> that waits. Units of entries, and of folders to finish, are taken once they are full or no other
/// work waits; else folders are visited, the deepest first, so that memory grows with the depth and not with the tree. Thread-safe.
/// </summary>
internal sealed class PassBoard
{
    // The entries, or folders to finish, in one unit. More where units end quickly, so that fewer replies are waited for; fewer where they
    // take long: progress is reported, and a job paused, between two units.
    private const int UsualTogether = 4096;
    private const int MostTogether = 32_768;
    private const int LeastTogether = 256;
    private static readonly TimeSpan Quick = TimeSpan.FromSeconds(0.5);
    private static readonly TimeSpan Slow = TimeSpan.FromSeconds(2);

    // Entries that count as a unit where further sessions are weighed: they take a server a tenth of a second or more.
    private const int UnitToShare = 1024;

    // The contents of fewer folders say little of the rest.
    private const int LeastVisited = 8;

    private readonly Lock _gate = new();
    private readonly Queue<PassUnit> _again = [];
    private readonly Queue<PassEntry> _entries = [];
    private readonly Stack<PassFolder> _folders = [];
    private readonly Queue<PassFolder> _finished = [];
    private int _together = UsualTogether;
    private bool _inOrder; // sessions finish folders above in the flight of those below
    private int _running;
    private int _underWay; // folders that are visited now
    private long _visited;
    private long _found;
    private TaskCompletionSource? _change;

    public PassBoard(PassFolder root) => _folders.Push(root);

    /// <summary>
    /// The number of units that wait, about, and the round trips that the entries take on one session: those that wait, and those that the
    /// waiting folders and those under way may have, by the folders before.
    /// </summary>
    /// <param name="features">What sessions do at a time.</param>
    public (int Units, long Flights) WaitingFor(TransferFeatures features)
    {
        var (visits, inTurn) = VisitsOf(features);
        lock (_gate)
        {
            var expected = _visited < LeastVisited ? 0 : (_folders.Count + _underWay) * _found / _visited;
            var changes = _entries.Count + expected + _finished.Count;
            // One after another, folders take as long together as each alone.
            var units = _again.Count + Units(_folders.Count, inTurn ? 1 : visits) + (changes / UnitToShare);
            return ((int)Math.Min(int.MaxValue, units), changes / ChangesOf(features));
        }
    }

    /// <summary>Whether all work is done.</summary>
    public bool IsDone
    {
        get { lock (_gate) return _running == 0 && !AnyToTakeLocked; }
    }

    private bool AnyToTakeLocked => _again.Count + _entries.Count + _folders.Count > 0 || _finished.Count > 0 && !HoldsFinishedLocked;

    // The units under way finish further folders: in one flight with these the parents ride along, else each level takes a round trip more.
    private bool HoldsFinishedLocked => _inOrder && _running > 0 && _finished.Count < UnitToShare;

    /// <summary>Waits until a unit waits. False: all work is done.</summary>
    public async ValueTask<bool> WaitAsync(CancellationToken ct)
    {
        while (true)
        {
            Task change;
            lock (_gate)
            {
                if (AnyToTakeLocked) return true;
                if (_running == 0) return false;
                change = (_change ??= new(TaskCreationOptions.RunContinuationsAsynchronously)).Task;
            }
            await change.WaitAsync(ct).ConfigureAwait(false);
        }
    }

    /// <summary>Takes a unit; null: none waits now.</summary>
    /// <param name="features">The number of folders that the session lists together, and how.</param>
    /// <param name="mostSessions">The most sessions that take units, among which folders that are listed in turn are divided.</param>
    public PassUnit? Take(TransferFeatures features, int mostSessions)
    {
        var (visits, inTurn) = VisitsOf(features);
        lock (_gate)
        {
            _inOrder = features.ChangesInOrder;
            if (inTurn) visits = Math.Clamp(Units(_folders.Count, mostSessions), 1, visits);
            if (TakeLocked(visits, features, mostSessions) is not { } unit) return null;
            BeginLocked(unit);
            return unit;
        }
    }

    /// <summary>
    /// Returns a unit whose session was lost, in two halves: a server may end each session after some commands. Of folders to finish, those
    /// above others of the unit wait for these.
    /// </summary>
    public void Return(PassUnit unit)
    {
        lock (_gate)
        {
            foreach (var half in WithoutParentsLocked(unit).Halve()) _again.Enqueue(half);
            EndLocked(unit);
        }
    }

    /// <summary>Notes the contents of one folder of a unit that is visited now: the rest may have as many.</summary>
    public void Listed(PassContent content)
    {
        lock (_gate) (_visited, _found) = (_visited + 1, _found + content.Entries.Count);
    }

    /// <summary>Takes over the contents of visited folders, in the order of the unit's folders.</summary>
    public void Visited(PassUnit unit, IReadOnlyList<PassContent> contents)
    {
        lock (_gate)
        {
            for (var i = 0; i < contents.Count; i++)
            {
                var (folder, entries, children) = (unit.Folders[i], contents[i].Entries, contents[i].Folders);
                if (folder.Proof != DirectoryProof.Child)
                {
                    ReplaceLocked(folder, contents[i].Instead);
                    continue;
                }
                var more = contents[i].Gap is not null && entries.Count + children.Count > 0;
                folder.Gaps = new(contents[i].Gap, contents[i].Named, more, contents[i].MayLack);
                folder.IsWanted = false;
                folder.OpenEntries = entries.Count;
                folder.Open = 1 + entries.Count + children.Count;
                foreach (var entry in entries) _entries.Enqueue(entry);
                foreach (var child in children)
                    _folders.Push(new PassFolder(child, folder) { Proof = contents[i].IsProved ? DirectoryProof.Child : null });
                CloseLocked(folder);
            }
            EndLocked(unit);
        }
    }

    /// <summary>Notes that a unit of entries, or of folders to finish, is done.</summary>
    /// <param name="unit">The unit.</param>
    /// <param name="elapsed">The time that the unit took.</param>
    public void Done(PassUnit unit, TimeSpan elapsed)
    {
        lock (_gate)
        {
            AdaptLocked(unit, elapsed);
            foreach (var entry in unit.Entries)
            {
                if (--entry.Folder.OpenEntries == 0) entry.Folder.CloseEntries();
                CloseLocked(entry.Folder);
            }
            foreach (var folder in unit.Folders)
            {
                folder.IsFinishing = false;
                if (folder.IsWanted)
                {
                    _folders.Push(folder);
                    continue;
                }
                // A folder below is to be visited again.
                if (folder.Open > 0) continue;
                folder.Close();
                if (folder.Parent is { } parent) CloseLocked(parent);
            }
            EndLocked(unit);
        }
    }

    private PassUnit? TakeLocked(int visits, TransferFeatures features, int mostSessions)
    {
        var changes = ChangesOf(features);
        if (_again.TryDequeue(out var unit)) return unit;
        var isRest = _folders.Count == 0;
        if (_entries.Count >= _together || isRest && _entries.Count > 0)
            return new PassUnit(PassStage.Handle, [], TakeShareLocked(_entries, changes, mostSessions));
        if (_finished.Count >= _together || isRest && _finished.Count > 0 && !HoldsFinishedLocked)
        {
            var folders = TakeShareLocked(_finished, changes, mostSessions);
            if (features.ChangesInOrder) AddParentsLocked(folders);
            return new PassUnit(PassStage.Finish, folders, []);
        }
        return isRest ? null : new PassUnit(PassStage.Visit, TakeMany<PassFolder>(_folders.TryPop, visits), []);
    }

    // The folders that a session visits at a time, and whether it does so one after another.
    private static (int Together, bool InTurn) VisitsOf(TransferFeatures features)
    {
        var finds = features.ProvesFinds ? features.FindsTogether : 1;
        return (Math.Max(1, Math.Max(features.ListsTogether, finds)), features.ListsInTurn && finds <= features.ListsTogether);
    }

    private static int ChangesOf(TransferFeatures features) => Math.Max(features.ChangesTogether, 1);

    // Where a session has few requests under way, a full unit takes many round trips, in which the other sessions would have no work.
    private List<T> TakeShareLocked<T>(Queue<T> queue, int changes, int mostSessions) =>
        TakeMany<T>(queue.TryDequeue, Math.Clamp(Units(queue.Count, mostSessions), Math.Min(changes, _together), _together));

    // A folder whose last open ones below are in the unit follows them there: else each level of the tree would take a round trip.
    private static void AddParentsLocked(List<PassFolder> folders)
    {
        var open = new Dictionary<PassFolder, int>();
        for (var i = 0; i < folders.Count; i++)
        {
            if (folders[i].Parent is not { Gaps.MayHaveMore: false } parent) continue;
            open[parent] = open.GetValueOrDefault(parent, parent.Open) - 1;
            if (open[parent] > 0) continue;
            parent.IsFinishing = true;
            folders.Add(parent);
        }
    }

    // Two halves go to different sessions, at any time.
    private static PassUnit WithoutParentsLocked(PassUnit unit)
    {
        if (!unit.Folders.Any(static folder => folder.IsFinishing)) return unit;
        PassFolder[] lowest = [.. unit.Folders.Where(static folder => !folder.IsFinishing)];
        foreach (var folder in unit.Folders) folder.IsFinishing = false;
        return new PassUnit(unit.Stage, lowest, []) { Losses = unit.Losses };
    }

    private void AdaptLocked(PassUnit unit, TimeSpan elapsed)
    {
        var isFull = unit.Entries.Count + unit.Folders.Count >= _together / 2;
        if (elapsed > Slow) _together = Math.Max(LeastTogether, _together / 2);
        else if (elapsed < Quick && isFull) _together = Math.Min(MostTogether, _together * 2);
    }

    // A truncated listing names further entries once the first ones are gone.
    private void CloseLocked(PassFolder folder)
    {
        if (--folder.Open > 0) return;
        if (folder.Gaps.MayHaveMore) _folders.Push(folder);
        else if (!folder.IsFinishing) _finished.Enqueue(folder);
    }

    // A link was listed as a folder: the parent waits for the entry in its place.
    private void ReplaceLocked(PassFolder folder, PassEntry? instead)
    {
        var parent = folder.Parent!;
        folder.Close();
        if (instead is { } entry)
        {
            parent.OpenEntries++;
            _entries.Enqueue(entry);
        }
        else
        {
            CloseLocked(parent);
        }
    }

    private void BeginLocked(PassUnit unit)
    {
        _running++;
        if (unit.Stage == PassStage.Visit) _underWay += unit.Folders.Count;
    }

    private void EndLocked(PassUnit unit)
    {
        _running--;
        if (unit.Stage == PassStage.Visit) _underWay -= unit.Folders.Count;
        SignalLocked();
    }

    private void SignalLocked()
    {
        _change?.SetResult();
        _change = null;
    }

    private delegate bool Taking<T>([MaybeNullWhen(false)] out T one);

    private static List<T> TakeMany<T>(Taking<T> take, int most)
    {
        var some = new List<T>();
        while (some.Count < most && take(out var one)) some.Add(one);
        return some;
    }

    private static int Units(int count, int each) => (count + each - 1) / each;
}
