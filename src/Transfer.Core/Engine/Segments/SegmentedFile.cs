using Transfer.Engine.Files;
using Transfer.Engine.Scheduling;
using Transfer.Journal;
using Transfer.Sessions;

namespace Transfer.Engine.Segments;

/// <summary>
/// One large file that several sessions move: into one temporary file, published when all segments are there. The file begins as one
/// segment, each session that was opened for the file cuts off an equal part when it comes, and an idle session as much of the slowest
/// segment as lets both end together.
/// </summary>
internal sealed class SegmentedFile : IDisposable
{
    /// <summary>The least length to divide; a shorter file is moved by one session.</summary>
    internal const long LeastLength = 4 << 20;

    private const long LeastShare = SegmentWorth.LeastShare;
    private const long LeastSplit = SegmentWorth.LeastSplit;

    private readonly CancellationTokenSource _stop;
    private readonly List<FileSegment> _open = [];
    private readonly List<long> _seams = [];
    private readonly Queue<FileSegment> _waiting = new();
    private readonly int? _asked;
    private readonly SegmentWorth _worth;
    private int _coming; // sessions that were opened for the file and have no part yet
    private int _mostOpen; // segments that were under way at once
    private long _lookedAt;
    private readonly SegmentClimb _climb = new();

    /// <param name="file">The file; the content knows the length.</param>
    /// <param name="temporaryPath">Uploads: the temporary path.</param>
    /// <param name="asked">The number of segments at once; null: as many as pay.</param>
    /// <param name="time">The clock.</param>
    /// <param name="roundTrip">The round trip of the path; null: not known.</param>
    /// <param name="keepsConnections">Whether a session moves all of its segments over one connection.</param>
    public SegmentedFile(JobFile file, string? temporaryPath, int? asked, TimeProvider time, TimeSpan? roundTrip = null,
        bool keepsConnections = false)
    {
        File = file;
        TemporaryPath = temporaryPath;
        _asked = asked;
        Time = time;
        RoundTrip = roundTrip;
        Pace = new SegmentPace(time, roundTrip);
        Windows = new SegmentWindows(time, roundTrip);
        _worth = new SegmentWorth(_open, roundTrip, isAsked: asked is not null, keepsConnections);
        _lookedAt = time.GetTimestamp();
        Length = file.Content.Length ?? throw new ArgumentException("A file of unknown length has no segments.", nameof(file));
        _stop = CancellationTokenSource.CreateLinkedTokenSource(file.Stop);
    }

    public JobFile File { get; }

    public string? TemporaryPath { get; }

    public TimeProvider Time { get; }

    public long Length { get; }

    /// <summary>The round trip of the path; null: not known.</summary>
    public TimeSpan? RoundTrip { get; }

    /// <summary>The rate of all segments together.</summary>
    public SegmentPace Pace { get; }

    /// <summary>The bound of the receive windows.</summary>
    public SegmentWindows Windows { get; }

    /// <summary>
    /// The number of sessions on a short network link. There sessions share the processors, with a local server too, so that few are
    /// enough; but a session that loses packets, or waits for the server's disk, makes room for more.
    /// </summary>
    public SessionRamp Ramp { get; } = new(int.MaxValue, Math.Max(2, Environment.ProcessorCount / 2));

    /// <summary>The first segment of an upload, while all bytes behind have to wait for the arrival; null: no bytes wait.</summary>
    public FileSegment? Beginning { get; private set; }

    /// <summary>The number of segments under way.</summary>
    public int Open => _open.Count;

    /// <summary>The first failure of a segment; null: none yet.</summary>
    public FileEnd? Failure { get; private set; }

    /// <summary>
    /// Whether that is the server's refusal of the first bytes of a segment behind the file's start: some servers read and write files in
    /// order only.
    /// </summary>
    public bool IsOffsetRefused { get; private set; }

    /// <summary>Downloads: the stamp of the file that each segment's session reported.</summary>
    public List<FileStamp?> Sources { get; } = [];

    /// <summary>The weakest check of the segments' sessions.</summary>
    public VerificationMode Verified { get; private set; } = VerificationMode.Size;

    /// <summary>Uploads: the permissions to set with the name, as a segment's session found last; null: none found any.</summary>
    public UnixFileMode? Mode { get; set; }

    /// <summary>Uploads: whether the file is published.</summary>
    public bool Published { get; set; }

    /// <summary>The number of content bytes that the segments have moved.</summary>
    public long Moved { get; private set; }

    /// <summary>The most attempts of any segment.</summary>
    public int Attempts { get; private set; } = 1;

    /// <summary>Downloads: the most bytes of each segment under way; null: no bound.</summary>
    public int? Window => _worth.IsLong ? Windows.Of(_open.Count) : null;

    /// <inheritdoc cref="SegmentWorth.StallTime"/>
    public TimeSpan? StallTime => _worth.StallTime;

    /// <inheritdoc cref="SegmentWorth.IsFasterDivided"/>
    public bool IsFasterDivided(long bytes, TimeSpan left, int idle) => _worth.IsFasterDivided(bytes, left, idle);

    /// <summary>
    /// Returns the first segment, which is the whole file. Sessions that come later cut their parts off: the first connection then goes on
    /// at the rate that it has reached meanwhile, instead of ending and beginning again.
    /// </summary>
    /// <param name="sessions">The number of sessions that are there, or soon will be.</param>
    /// <param name="isLong">Whether the network link is long.</param>
    public JobFile Begin(int sessions = 1, bool isLong = false)
    {
        _worth.IsLong = isLong;
        // On a short link the rate of one session is soon known; on a long one that would be waiting.
        _coming = (int)Math.Clamp(Length / LeastShare, 1, isLong || _asked is not null ? Math.Min(sessions, _asked ?? int.MaxValue) : 1)
            - 1;
        return Add(new FileSegment(this, 0, Length));
    }

    /// <summary>
    /// Returns a first segment of the first bytes alone, where a session that writes from the start of a file truncates it. The rest, in
    /// equal parts, waits until those bytes have arrived.
    /// </summary>
    /// <param name="sessions">The most sessions.</param>
    public JobFile BeginAlone(int sessions)
    {
        var (count, rest) = (Math.Clamp(Length / LeastShare, 1, Math.Min(sessions, _asked ?? int.MaxValue)), Length - LeastSplit);
        for (var i = 0; i < count; i++)
        {
            _waiting.Enqueue(
                new FileSegment(this, LeastSplit + rest / count * i, i == count - 1 ? Length : LeastSplit + rest / count * (i + 1)));
        }

        return Add(Beginning = new FileSegment(this, 0, LeastSplit));
    }

    /// <summary>
    /// Divides a segment whose session was given up in equal parts for all idle sessions; the segment keeps the first part.
    /// </summary>
    /// <param name="segment">The segment, which no session has at the moment.</param>
    /// <param name="sessions">The number of idle sessions.</param>
    public void Divide(FileSegment segment, int sessions)
    {
        for (var parts = sessions; parts > 1; parts--)
        {
            if (segment.CutOff(segment.Unclaimed / parts, LeastSplit) is { } part) _waiting.Enqueue(part);
        }
    }

    /// <summary>The offsets at which a session has gone on for a lost one, in the order of the losses.</summary>
    public IReadOnlyList<long> Seams
    {
        get { lock (_seams) return [.. _seams]; }
    }

    /// <summary>Records the offset at which a session goes on for a lost one.</summary>
    public void AddSeam(long offset)
    {
        lock (_seams) _seams.Add(offset);
    }

    /// <summary>Resumes a partial file: returns the first missing range. The rest waits for idle sessions.</summary>
    public JobFile Continue(Continuation continuation)
    {
        Moved = continuation.ArrivedBytes(Length);
        foreach (var (start, _) in continuation.Holes.Where(hole => hole.Start > 0 && !continuation.IsCompared)) AddSeam(start);
        foreach (var (start, end) in continuation.Holes) _waiting.Enqueue(new FileSegment(this, start, end));
        return Add(_waiting.Dequeue());
    }

    /// <summary>Gives an idle session a part of the segment that would take longest; null when that would save no time.</summary>
    /// <param name="coming">The further sessions on their way: less than expected where a server refuses some.</param>
    /// <param name="idle">The number of further idle sessions.</param>
    public JobFile? Share(int coming = int.MaxValue - 1, int idle = 0)
    {
        FileSegment? slowest = null;
        var longest = 0d;
        if (Failure is not null || Beginning is not null || _open.Count >= (_asked ?? _climb.Enough)) return null;
        if (_waiting.TryDequeue(out var waiting))
        {
            waiting.Restart(waiting.Start);
            return Add(waiting);
        }
        _coming = Math.Min(_coming, coming + 1);
        if (_coming > 0 && Largest is { } largest && _worth.PartOf(largest, _coming) is { } equal)
        {
            _coming--;
            return Cut(largest, equal);
        }
        var (takers, fullFor) = (Takers(idle + 1), FullFor);
        foreach (var segment in _open)
        {
            if (!_worth.IsWorthSharing(segment, takers, fullFor)) continue;
            var seconds = SegmentWorth.SecondsOf(segment);
            if (seconds <= longest) continue;
            (slowest, longest) = (segment, seconds);
        }
        if (slowest is null) return null;
        return _worth.PartFor(slowest, takers) is { } part ? Cut(slowest, part) : null;
    }

    /// <summary>Returns the number of further sessions that the file can use now.</summary>
    /// <param name="opening">The time that opening a session takes.</param>
    /// <param name="isLong">Whether the network link is long.</param>
    /// <param name="idle">The number of idle sessions.</param>
    /// <param name="fresh">The number of sessions that have come and have not asked for work yet.</param>
    public int Room(TimeSpan opening, bool isLong, int idle = 0, int fresh = 0)
    {
        if (_open.Count == 0 && IsWaiting) return 1;
        _worth.IsLong |= isLong;
        var most = _asked ?? (_worth.IsLong ? _climb.Enough : Ramp.Allowed);
        if (Failure is not null || Beginning is not null || _open.Count >= most) return 0;
        var cost = _worth.CostOf(opening);
        var isComing = IsComing;
        var coming = isComing ? _coming - fresh : 0;
        var room = _worth.IsLong && _asked is null
            ? Math.Max(isComing ? coming : Climb(cost), ForIdle(idle, isComing ? 0 : Takers(idle)))
            : Math.Max(coming, _open.Sum(segment => _worth.Shares(segment, cost)));
        return (int)Math.Clamp(_waiting.Count + room, 0, most - _open.Count);
    }

    /// <summary>Measures whether the sessions added last on a short link have gained time; called some ten times a second.</summary>
    public void Look()
    {
        if (_worth.IsLong || _asked is not null) return;
        var elapsed = Time.GetElapsedTime(_lookedAt);
        _lookedAt = Time.GetTimestamp();
        var (together, left) = _worth.Together();
        Ramp.Measure(elapsed, busy: _open.Count >= Ramp.Allowed && left > together * SessionRamp.LeastToTry.TotalSeconds);
    }

    /// <summary>Ends a segment. True: the last one.</summary>
    public bool End(JobFile part, FileEnd end)
    {
        var segment = part.Segment!;
        _worth.LearnStart(segment);
        _open.Remove(segment);
        Attempts = Math.Max(Attempts, part.Attempts.Count);
        Moved += segment.Kept + (end.Result?.Bytes ?? 0);
        if (end.Result is { } result)
        {
            if (result.Verified < Verified) Verified = result.Verified;
            if (segment == Beginning) Beginning = null;
        }
        else if (Failure is null)
        {
            Failure = end;
            IsOffsetRefused = segment is { Start: > 0, Kept: 0, Pace.Start: null }
                && end.Error is { ServerCode: not null, Error: TransferError.Unknown or TransferError.Quota or TransferError.Denied };
            // Asynchronous, since callbacks of the token may want the caller's lock.
            _ = _stop.CancelAsync();
        }
        return _open.Count == 0 && !IsWaiting;
    }

    public void Dispose() => _stop.Dispose();

    private bool IsComing => _coming > 0 && Largest is { } largest && _worth.PartOf(largest, _coming) is not null;

    // The segment that gives a part to the next session that was opened for the file.
    private FileSegment? Largest
    {
        get
        {
            FileSegment? largest = null;
            foreach (var segment in _open)
            {
                if (largest is null || segment.Unclaimed > largest.Unclaimed) largest = segment;
            }
            return largest;
        }
    }

    // After a failure no segment begins in vain.
    private bool IsWaiting => _waiting.Count > 0 && Failure is null;

    // The seconds of the file's rest over a full network link; null: the link is not full. It is full where the file comes as fast as ever
    // though a session has nothing to do: the connections that go on have taken its share, and a young one would only lose packets and end
    // long behind them.
    private double? FullFor
    {
        get
        {
            if (!_worth.BeginsYoung || _open.Count >= _mostOpen || !Pace.IsAtBest) return null;
            var (rate, left) = _worth.Together();
            return left / rate;
        }
    }

    private long Climb(double cost)
    {
        var (together, left) = _worth.Together();
        // The same rule as for the parts: a session that comes in vain would come again and again.
        var given = WorthSharing();
        if (given == 0 || left < cost * together) return 0;
        return _climb.More(_open.Count, given, together, _worth.IsGrowing);
    }

    // The idle sessions that share the slowest segment at once, when no session that was opened for the file is still to come: until half
    // of the sessions have work, which is the rest of a file. Whether the link is full is no question then.
    private int Takers(int idle) => Math.Max(0, (idle - _open.Count + 1) / 2);

    private int ForIdle(int idle, int takers) =>
        WorthSharing(takers) is > 0 and var worth ? Math.Max(takers, Math.Min(idle, worth)) : 0;

    private int WorthSharing(int takers = 0)
    {
        var fullFor = FullFor;
        return _open.Count(segment => _worth.IsWorthSharing(segment, takers, fullFor));
    }

    // The session of the segment may have claimed bytes meanwhile.
    private JobFile? Cut(FileSegment segment, long bytes) => segment.CutOff(bytes, LeastSplit) is { } rest ? Add(rest) : null;

    private JobFile Add(FileSegment segment)
    {
        _open.Add(segment);
        _mostOpen = Math.Max(_mostOpen, _open.Count);
        return new JobFile(File.Spec.ForSegment(File.Folder, _stop.Token), File.Content.PartFor(segment)) { Segment = segment };
    }
}
