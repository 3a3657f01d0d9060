using Transfer.Contents;
using Transfer.Local;

namespace Transfer.Engine.Files;

/// <summary>
/// The files of one job that no session has taken yet: which of them comes next, whether it may be opened, and whether there is room for
/// more. What is named <c>…Locked</c> is called under the scheduler's lock.
/// </summary>
internal sealed class FileLine
{
    /// <summary>Most files in line; whoever adds more waits.</summary>
    internal const int Capacity = 4096;

    private readonly LinkedList<JobFile> _queue = new();

    // Large files that one session has to move alone, the longest first. Behind all others one of them would be under way when nothing
    // else is.
    private readonly PriorityQueue<JobFile, (long Shorter, long Later)> _long = new();
    private readonly HashSet<JobFile> _longUnderWay = [];
    private readonly HashSet<JobFile> _placed = []; // files that have a place among the local files that may be open
    private readonly bool _hasSeveralSessions;
    private readonly Func<bool> _isServerKnown;
    private readonly Func<JobFile, bool> _canBeDivided;
    private TaskCompletionSource? _room;
    private long _lined;
    private bool _isSorted;

    /// <param name="hasSeveralSessions">The job may have more than one session.</param>
    /// <param name="isServerKnown">There has been a session, which knows what the server can do.</param>
    /// <param name="canBeDivided">Several sessions may move a file together.</param>
    public FileLine(bool hasSeveralSessions, Func<bool> isServerKnown, Func<JobFile, bool> canBeDivided)
    {
        _hasSeveralSessions = hasSeveralSessions;
        _isServerKnown = isServerKnown;
        _canBeDivided = canBeDivided;
    }

    /// <summary>Where there is room for local files.</summary>
    public OpenFiles OpenFiles { get; set; } = OpenFiles.OfProcess;

    /// <summary>Files in line.</summary>
    public int CountLocked => _queue.Count + _long.Count;

    /// <summary>
    /// The next file may not be opened now. A file of this job's own that ends makes room, so there is no waiting for it.
    /// </summary>
    public bool LacksPlaceLocked => _placed.Count > 0 && !OpenFiles.HasRoom && Next is { Content.OpensFile: true } next && !_placed.Contains(next);

    private JobFile? Next => _queue.First?.Value ?? (_long.TryPeek(out var file, out _) ? file : null);

    /// <summary>
    /// Puts a file at the end of the line, or among the long ones. Until there has been a session it is not known which can be divided.
    /// </summary>
    public void AddLocked(JobFile file)
    {
        if (_isSorted && IsLong(file)) _long.Enqueue(file, (-file.Content.Length!.Value, _lined++));
        else _queue.AddLast(file);
    }

    /// <summary>Puts a file in front of all others.</summary>
    public void AddFirstLocked(JobFile file) => _queue.AddFirst(file);

    /// <summary>Takes the next files for one session.</summary>
    /// <param name="most">So many.</param>
    /// <param name="sessions">There are so many sessions in all.</param>
    /// <param name="alone">The session has taken nothing else just now, so that a large file may come alone.</param>
    public JobFile[] TakeLocked(int most, int sessions, bool alone)
    {
        if (most <= 0) return [];
        SortOut();
        JobFile[] files = alone && TakeLong(sessions) is { } file ? [file] : TakeNext(most, alone);
        if (CountLocked <= Capacity * 3 / 4) MakeRoom();
        return files;
    }

    /// <summary>Takes all files out of the line.</summary>
    /// <param name="butSegments">Segments of files that are under way stay: what is missing of those may be worth finishing.</param>
    public JobFile[] TakeAllLocked(bool butSegments)
    {
        JobFile[] stay = [.. _queue.Where(file => butSegments && file.Segment is not null)];
        JobFile[] files = [.. _queue.Except(stay), .. _long.UnorderedItems.Select(item => item.Element)];
        _queue.Clear();
        _long.Clear();
        foreach (var part in stay) _queue.AddLast(part);
        MakeRoom();
        return files;
    }

    /// <summary>
    /// A file is no session's any more, and what it had open is closed. True: <see cref="OpenFiles"/> gets its place back.
    /// </summary>
    public bool LetGoLocked(JobFile file)
    {
        _longUnderWay.Remove(file);
        return _placed.Remove(file);
    }

    /// <summary>Ends when there may be room in line; null: there is some.</summary>
    public Task? WhenRoomLocked() => CountLocked < Capacity ? null : (_room ??= new(TaskCreationOptions.RunContinuationsAsynchronously)).Task;

    private void MakeRoom()
    {
        _room?.TrySetResult();
        _room = null;
    }

    private void SortOut()
    {
        if (_isSorted || !_isServerKnown()) return;
        _isSorted = true;
        JobFile[] files = [.. _queue];
        _queue.Clear();
        foreach (var file in files) AddLocked(file);
    }

    // One session has nobody who could move the others meanwhile.
    private bool IsLong(JobFile file) =>
        _hasSeveralSessions && file is { Segment: null, Attempts.Count: 0, Content.Length: > EngineContent.Large } && !_canBeDivided(file);

    // Half of the sessions: small files wait for answers most of the time, large ones for the link, so that together they take less than
    // one after the other.
    private JobFile? TakeLong(int sessions)
    {
        if (_long.Count == 0 || _queue.First is { Value.Segment: not null }) return null;
        if (_queue.Count > 0 && _longUnderWay.Count >= Math.Max(1, sessions / 2) || !TryPlace(_long.Peek())) return null;
        var file = _long.Dequeue();
        _longUnderWay.Add(file);
        return file;
    }

    private JobFile[] TakeNext(int most, bool alone)
    {
        var files = new List<JobFile>(most);
        while (files.Count < most && _queue.First is { } first && (files.Count == 0 && alone || !first.Value.ComesAlone) && TryPlace(first.Value))
        {
            _queue.RemoveFirst();
            files.Add(first.Value);
            if (first.Value.ComesAlone) break;
        }
        return [.. files];
    }

    private bool TryPlace(JobFile file)
    {
        if (!file.Content.OpensFile || _placed.Contains(file)) return true;
        return OpenFiles.TryTake(needed: _placed.Count == 0) && _placed.Add(file);
    }
}
