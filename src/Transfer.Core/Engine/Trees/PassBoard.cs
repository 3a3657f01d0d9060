using System.Diagnostics.CodeAnalysis;

namespace Transfer.Engine.Trees;

/// <summary>
/// The work of a <see cref="TreePass"/> that waits. Units of entries, and of folders to finish, are taken once they are full or no other
/// work waits; else folders are visited, the deepest first, so that memory grows with the depth and not with the tree. Thread-safe.
/// </summary>
internal sealed class PassBoard
{
    /// <summary>The most entries, or folders to finish, in one unit.</summary>
    public const int Together = 2048;

    // Entries that count as a unit where further sessions are weighed: they take a server a tenth of a second or more.
    private const int UnitToShare = 1024;

    // What fewer folders have says little of the others.
    private const int LeastVisited = 8;

    private readonly Lock _gate = new();
    private readonly Queue<PassUnit> _again = [];
    private readonly Queue<PassEntry> _entries = [];
    private readonly Stack<PassFolder> _folders = [];
    private readonly Queue<PassFolder> _finished = [];
    private int _running;
    private long _visited;
    private long _found;
    private TaskCompletionSource? _change;

    public PassBoard(PassFolder root) => _folders.Push(root);

    /// <summary>
    /// The number of units that wait, about, and the round trips that the entries take on one session: those that wait, and those that the
    /// waiting folders may have, by the folders before.
    /// </summary>
    /// <param name="features">What sessions do at a time.</param>
    public (int Units, long Flights) WaitingFor(TransferFeatures features)
    {
        var (visits, inTurn) = VisitsOf(features);
        lock (_gate)
        {
            var expected = _visited < LeastVisited ? 0 : _folders.Count * _found / _visited;
            var changes = _entries.Count + expected + _finished.Count;
            // One after another, folders take as long together as each alone.
            var units = _again.Count + Units(_folders.Count, inTurn ? 1 : visits) + (changes / UnitToShare);
            return ((int)Math.Min(int.MaxValue, units), changes / ChangesOf(features));
        }
    }

    /// <summary>Whether all work is done.</summary>
    public bool IsDone
    {
        get { lock (_gate) return _running == 0 && !AnyWaitsLocked; }
    }

    private bool AnyWaitsLocked => _again.Count + _entries.Count + _folders.Count + _finished.Count > 0;

    /// <summary>Waits until a unit waits. False: all work is done.</summary>
    public async ValueTask<bool> WaitAsync(CancellationToken ct)
    {
        while (true)
        {
            Task change;
            lock (_gate)
            {
                if (AnyWaitsLocked) return true;
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
            if (inTurn) visits = Math.Clamp(Units(_folders.Count, mostSessions), 1, visits);
            if (TakeLocked(visits, ChangesOf(features), mostSessions) is not { } unit) return null;
            _running++;
            return unit;
        }
    }

    /// <summary>Returns a unit whose session was lost, in two halves: a server may end each session after some commands.</summary>
    public void Return(PassUnit unit)
    {
        lock (_gate)
        {
            _running--;
            foreach (var half in unit.Halve()) _again.Enqueue(half);
            SignalLocked();
        }
    }

    /// <summary>Takes over the contents of visited folders, in the order of the unit's folders.</summary>
    public void Visited(PassUnit unit, IReadOnlyList<PassContent> contents)
    {
        lock (_gate)
        {
            for (var i = 0; i < contents.Count; i++)
            {
                var (folder, entries, children) = (unit.Folders[i], contents[i].Entries, contents[i].Folders);
                (folder.Gap, folder.Named) = (contents[i].Gap, contents[i].Named);
                (folder.MayLack, folder.IsWanted) = (contents[i].MayLack, false);
                folder.MayHaveMore = folder.Gap is not null && entries.Count + children.Count > 0;
                folder.OpenEntries = entries.Count;
                folder.Open = 1 + entries.Count + children.Count;
                (_visited, _found) = (_visited + 1, _found + entries.Count);
                foreach (var entry in entries) _entries.Enqueue(entry);
                foreach (var child in children) _folders.Push(new PassFolder(child, folder));
                CloseLocked(folder);
            }
            EndLocked();
        }
    }

    /// <summary>Notes that a unit of entries, or of folders to finish, is done.</summary>
    public void Done(PassUnit unit)
    {
        lock (_gate)
        {
            foreach (var entry in unit.Entries)
            {
                if (--entry.Folder.OpenEntries == 0) entry.Folder.CloseEntries();
                CloseLocked(entry.Folder);
            }
            foreach (var folder in unit.Folders)
            {
                if (folder.IsWanted)
                {
                    _folders.Push(folder);
                    continue;
                }
                folder.Close();
                if (folder.Parent is { } parent) CloseLocked(parent);
            }
            EndLocked();
        }
    }

    private PassUnit? TakeLocked(int visits, int changes, int mostSessions)
    {
        if (_again.TryDequeue(out var unit)) return unit;
        var isRest = _folders.Count == 0;
        if (_entries.Count >= Together || isRest && _entries.Count > 0)
            return new PassUnit(PassStage.Handle, [], TakeShare(_entries, changes, mostSessions));
        if (_finished.Count >= Together || isRest && _finished.Count > 0)
            return new PassUnit(PassStage.Finish, TakeShare(_finished, changes, mostSessions), []);
        return isRest ? null : new PassUnit(PassStage.Visit, TakeMany<PassFolder>(_folders.TryPop, visits), []);
    }

    // The folders that a session visits at a time, and whether it does so one after another.
    private static (int Together, bool InTurn) VisitsOf(TransferFeatures features)
    {
        var finds = features.ProvesFinds ? features.FindsTogether : 1;
        return (Math.Max(1, Math.Max(features.ListsTogether, finds)), features.ListsInTurn && finds <= features.ListsTogether);
    }

    private static int ChangesOf(TransferFeatures features) => Math.Clamp(features.ChangesTogether, 1, Together);

    // Where a session has few requests under way, a full unit takes many round trips, in which the other sessions would have no work.
    private static List<T> TakeShare<T>(Queue<T> queue, int changes, int mostSessions) =>
        TakeMany<T>(queue.TryDequeue, Math.Clamp(Units(queue.Count, mostSessions), changes, Together));

    // A truncated listing names further entries once the first ones are gone.
    private void CloseLocked(PassFolder folder)
    {
        if (--folder.Open > 0) return;
        if (folder.MayHaveMore) _folders.Push(folder);
        else _finished.Enqueue(folder);
    }

    private void EndLocked()
    {
        _running--;
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
