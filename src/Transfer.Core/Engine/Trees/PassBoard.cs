using System.Diagnostics.CodeAnalysis;

namespace Transfer.Engine.Trees;

/// <summary>
/// The work of a <see cref="TreePass"/> that waits. Units of entries, and of folders to finish, are taken once they are full or no other
/// work waits; else folders are visited, the deepest first, so that memory grows with the depth and not with the tree. Thread-safe.
/// </summary>
internal sealed class PassBoard
{
    /// <summary>The most entries, or folders to finish, in one unit.</summary>
    public const int Together = 1024;

    private readonly Lock _gate = new();
    private readonly Queue<PassUnit> _again = [];
    private readonly Queue<PassEntry> _entries = [];
    private readonly Stack<PassFolder> _folders = [];
    private readonly Queue<PassFolder> _finished = [];
    private int _running;
    private int _visitsTogether = 1;
    private bool _visitsInTurn;
    private TaskCompletionSource? _change;

    public PassBoard(PassFolder root) => _folders.Push(root);

    /// <summary>The number of units that wait, about.</summary>
    public int Waiting
    {
        get
        {
            lock (_gate)
            {
                // One after another, folders take as long together as each alone.
                return _again.Count + Units(_entries.Count, Together) + Units(_finished.Count, Together)
                    + Units(_folders.Count, _visitsInTurn ? 1 : _visitsTogether);
            }
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
        lock (_gate)
        {
            var finds = features.ProvesFinds ? features.FindsTogether : 1;
            _visitsTogether = Math.Max(1, Math.Max(features.ListsTogether, finds));
            _visitsInTurn = features.ListsInTurn && finds <= features.ListsTogether;
            var visits = _visitsInTurn
                ? Math.Clamp(Units(_folders.Count, mostSessions), 1, _visitsTogether) : _visitsTogether;
            if (TakeLocked(visits) is not { } unit) return null;
            _running++;
            return unit;
        }
    }

    /// <summary>Returns a unit whose session was lost.</summary>
    public void Return(PassUnit unit)
    {
        lock (_gate)
        {
            _running--;
            _again.Enqueue(unit);
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

    private PassUnit? TakeLocked(int visitsTogether)
    {
        if (_again.TryDequeue(out var unit)) return unit;
        var isRest = _folders.Count == 0;
        if (_entries.Count >= Together || isRest && _entries.Count > 0)
            return new PassUnit(PassStage.Handle, [], TakeMany<PassEntry>(_entries.TryDequeue, Together));
        if (_finished.Count >= Together || isRest && _finished.Count > 0)
            return new PassUnit(PassStage.Finish, TakeMany<PassFolder>(_finished.TryDequeue, Together), []);
        return isRest ? null : new PassUnit(PassStage.Visit, TakeMany<PassFolder>(_folders.TryPop, visitsTogether), []);
    }

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
