using Transfer.Local;

namespace Transfer.Engine;

/// <summary>Which of the files in line comes next, and whether it may be opened.</summary>
internal sealed partial class Dispatcher
{
    // Large files that one session has to move alone, the longest first. Behind all others one of them would be under way when nothing else is.
    private readonly PriorityQueue<JobFile, (long Shorter, long Later)> _long = new();
    private long _lined;
    private int _longUnderWay;
    private bool _isSorted;
    private int _places; // files that may be open here

    /// <summary>Where there is room for local files.</summary>
    public OpenFiles OpenFiles { get; set; } = OpenFiles.OfProcess;

    /// <summary>Takes the next files for one session.</summary>
    /// <param name="most">So many.</param>
    /// <param name="sessions">There are so many sessions in all.</param>
    /// <param name="alone">The session has taken nothing else just now, so that a large file may come alone.</param>
    public JobFile[] TakeLocked(int most, int sessions, bool alone)
    {
        if (most <= 0) return [];
        SortOut();
        JobFile[] files = alone && TakeLong(sessions) is { } file ? [file] : TakeNext(most, alone);
        if (WaitingLocked <= Capacity * 3 / 4) MakeRoom();
        return files;
    }

    // Called under the lock, as all below.
    private JobFile? Next => _queue.First?.Value ?? (_long.TryPeek(out var file, out _) ? file : null);

    // At the end of the line, or among the long ones. Until there has been a session nobody knows which can be divided.
    private void Line(JobFile file)
    {
        if (_isSorted && IsLong(file)) _long.Enqueue(file, (-file.Content.Length!.Value, _lined++));
        else _queue.AddLast(file);
    }

    private void SortOut()
    {
        if (_isSorted || _pool.LastFeatures is null) return;
        _isSorted = true;
        JobFile[] files = [.. _queue];
        _queue.Clear();
        foreach (var file in files) Line(file);
    }

    // One session has nobody who could move the others meanwhile.
    private bool IsLong(JobFile file) =>
        _most > 1 && file is { Segment: null, Attempts.Count: 0, Content.Length: > JobFile.LargeFile } && !CanBeDivided(file);

    // Half of the sessions: small files wait for answers most of the time, large ones for the link, so that together they take less than one after the other.
    private JobFile? TakeLong(int sessions)
    {
        if (_long.Count == 0 || _queue.First is { Value.Segment: not null }) return null;
        if (_queue.Count > 0 && _longUnderWay >= Math.Max(1, sessions / 2) || !TryPlace(_long.Peek())) return null;
        var file = _long.Dequeue();
        file.IsLong = true;
        _longUnderWay++;
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

    // A file of this job's own that ends makes room, so there is no waiting for it.
    private bool LacksPlace => _places > 0 && !OpenFiles.HasRoom && Next is { Content.OpensFile: true, HasPlace: false };

    private bool TryPlace(JobFile file)
    {
        if (!file.Content.OpensFile || file.HasPlace) return true;
        file.HasPlace = OpenFiles.TryTake(needed: _places == 0);
        if (file.HasPlace) _places++;
        return file.HasPlace;
    }

    // It is no session's any more, and what it had open is closed.
    private void LetGo(JobFile file)
    {
        lock (_gate)
        {
            if (file.IsLong) _longUnderWay--;
            file.IsLong = false;
            if (!file.HasPlace) return;
            file.HasPlace = false;
            _places--;
        }
        OpenFiles.Return();
    }
}
