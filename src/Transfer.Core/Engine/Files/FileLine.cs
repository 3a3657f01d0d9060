using Transfer.Contents;
using Transfer.Local;

namespace Transfer.Engine.Files;

/// <summary>
/// The files of one job that no session has taken yet: which comes next, whether that may be opened, and whether there is room for
/// more. Members named <c>…Locked</c> are called under the scheduler's lock.
/// </summary>
internal sealed class FileLine
{
    /// <summary>The most files in line; callers that add more wait.</summary>
    internal const int Capacity = 4096;

    private readonly LinkedList<JobFile> _queue = new();

    // Large files that one session has to move alone, the longest first. Last in line, such a file would be under way when all else is
    // done.
    private readonly PriorityQueue<JobFile, (long Shorter, long Later)> _long = new();
    private readonly HashSet<JobFile> _longUnderWay = [];
    private readonly HashSet<JobFile> _placed = []; // files that have a place among the local files that may be open
    private readonly bool _hasSeveralSessions;
    private readonly Func<bool> _isServerKnown;
    private readonly Func<JobFile, bool> _canBeDivided;
    private TaskCompletionSource? _room;
    private Int128 _bytes; // exact: files leave the sum again
    private long _lined;
    private bool _isSorted;

    /// <param name="hasSeveralSessions">Whether the job may have more than one session.</param>
    /// <param name="isServerKnown">Whether a session has reported the abilities of the server.</param>
    /// <param name="canBeDivided">Whether several sessions may move a file together.</param>
    public FileLine(bool hasSeveralSessions, Func<bool> isServerKnown, Func<JobFile, bool> canBeDivided)
    {
        _hasSeveralSessions = hasSeveralSessions;
        _isServerKnown = isServerKnown;
        _canBeDivided = canBeDivided;
    }

    /// <summary>The places for open local files.</summary>
    public OpenFiles OpenFiles { get; set; } = OpenFiles.OfProcess;

    /// <summary>The number of files in line.</summary>
    public int CountLocked => _queue.Count + _long.Count;

    /// <summary>The bytes of the files in line, as far as known.</summary>
    public long BytesLocked => long.CreateSaturating(_bytes);

    /// <summary>
    /// Whether the next file may not be opened now. A file of this job that ends makes room, so no wait is needed.
    /// </summary>
    public bool LacksPlaceLocked =>
        _placed.Count > 0 && !OpenFiles.HasRoom && Next is { Content.OpensFile: true } next && !_placed.Contains(next);

    private JobFile? Next => _queue.First?.Value ?? (_long.TryPeek(out var file, out _) ? file : null);

    /// <summary>
    /// Puts a file at the end of the line, or among the long files. Before the first session no file is known to be divisible.
    /// </summary>
    public void AddLocked(JobFile file)
    {
        _bytes += BytesOf(file);
        if (_isSorted && IsLong(file)) _long.Enqueue(file, (-file.Content.Length!.Value, _lined++));
        else _queue.AddLast(file);
    }

    /// <summary>Puts a file at the front of the line.</summary>
    public void AddFirstLocked(JobFile file)
    {
        _bytes += BytesOf(file);
        _queue.AddFirst(file);
    }

    /// <summary>Takes the next files for one session.</summary>
    /// <param name="most">The most files to take.</param>
    /// <param name="sessions">The number of all sessions.</param>
    /// <param name="alone">Whether the session has taken no other file just now, so that a large file may come alone.</param>
    public JobFile[] TakeLocked(int most, int sessions, bool alone)
    {
        if (most <= 0) return [];
        SortOut();
        JobFile[] files = alone && TakeLong(sessions) is { } file ? [file] : TakeNext(most, alone);
        foreach (var taken in files) _bytes -= BytesOf(taken);
        if (CountLocked <= Capacity * 3 / 4) MakeRoom();
        return files;
    }

    /// <summary>Takes all files out of the line.</summary>
    /// <param name="butSegments">Whether segments of files under way stay: the rest of those files may be worth finishing.</param>
    public JobFile[] TakeAllLocked(bool butSegments)
    {
        JobFile[] stay = [.. _queue.Where(file => butSegments && file.Segment is not null)];
        JobFile[] files = [.. _queue.Except(stay), .. _long.UnorderedItems.Select(item => item.Element)];
        _queue.Clear();
        _long.Clear();
        foreach (var part in stay) _queue.AddLast(part);
        _bytes = LengthSum.Of(stay.Select(BytesOf));
        MakeRoom();
        return files;
    }

    /// <summary>
    /// Removes a file that no session has any more, once the content is closed. True: <see cref="OpenFiles"/> gets a place back.
    /// </summary>
    public bool ReleasePlaceLocked(JobFile file)
    {
        _longUnderWay.Remove(file);
        return _placed.Remove(file);
    }

    /// <summary>Returns a task that ends when there may be room in line; null when there is room.</summary>
    public Task? WhenRoomLocked() =>
        CountLocked < Capacity ? null : (_room ??= new(TaskCreationOptions.RunContinuationsAsynchronously)).Task;

    private static long BytesOf(JobFile file) => file.Segment is null ? file.Content.Length ?? 0 : 0;

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
        _bytes = 0;
        foreach (var file in files) AddLocked(file);
    }

    // With one session no other could move the rest meanwhile.
    private bool IsLong(JobFile file) =>
        _hasSeveralSessions && file is { Segment: null, Attempts.Count: 0, Content.Length: > EngineContent.LargeLength }
        && !_canBeDivided(file);

    // Half of the sessions: small files wait for replies most of the time, large ones for the network link, so that together they take less
    // than one after the other.
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
        while (files.Count < most && _queue.First is { } first
            && (files.Count == 0 && alone || !first.Value.IsTakenAlone) && TryPlace(first.Value))
        {
            _queue.RemoveFirst();
            files.Add(first.Value);
            if (first.Value.IsTakenAlone) break;
        }
        return [.. files];
    }

    private bool TryPlace(JobFile file)
    {
        if (!file.Content.OpensFile || _placed.Contains(file)) return true;
        return OpenFiles.TryTake(needed: _placed.Count == 0) && _placed.Add(file);
    }
}
