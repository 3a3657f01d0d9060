using Transfer.Engine.Files;
using Transfer.Engine.Scheduling;
using Transfer.Journal;
using Transfer.Sessions;

namespace Transfer.Engine.Segments;

/// <summary>
/// One large file that several sessions move: into one temporary file, published when all its segments are there. It begins as
/// one segment for each session that is there, and whoever has nothing else to do takes half of what the slowest has left.
/// </summary>
internal sealed class SegmentedFile : IDisposable
{
    /// <summary>A shorter file is moved by one session.</summary>
    internal const long LeastLength = 4 << 20;

    // As long as the rate is not known, and less than that never.
    private const long LeastShare = 1 << 20;
    private const long LeastSplit = 64 << 10;

    // What is left must take so many times as long as another session needs to get going.
    private const double Worthwhile = 2;

    // So many times as long as it takes to its first bytes a connection needs until it is about as fast as the others: TCP's slow start doubles each round trip.
    private const double RunUp = 3;

    // A packet that was lost is sent again after a round trip or two. Whoever waits longer waits for a timer of the peer's, which doubles each time.
    private const double Stall = 4;
    private static readonly TimeSpan LeastStall = TimeSpan.FromMilliseconds(500);

    private readonly CancellationTokenSource _stop;
    private readonly List<FileSegment> _open = [];
    private readonly List<long> _seams = [];
    private readonly Queue<FileSegment> _waiting = new();
    private readonly int? _asked;
    private TimeSpan? _start;
    private bool _isLong;
    private long _lookedAt;
    private readonly SegmentClimb _climb = new();

    /// <param name="file">The file, whose content has its length.</param>
    /// <param name="temporaryPath">Uploads: where it is written.</param>
    /// <param name="asked">So many segments at once; null: as many as pay.</param>
    /// <param name="time">The clock.</param>
    public SegmentedFile(JobFile file, string? temporaryPath, int? asked, TimeProvider time)
    {
        File = file;
        TemporaryPath = temporaryPath;
        _asked = asked;
        Time = time;
        _lookedAt = time.GetTimestamp();
        Length = file.Content.Length ?? throw new ArgumentException("A file of unknown length has no segments.", nameof(file));
        _stop = CancellationTokenSource.CreateLinkedTokenSource(file.Stop);
    }

    public JobFile File { get; }

    public string? TemporaryPath { get; }

    public TimeProvider Time { get; }

    public long Length { get; }

    /// <summary>The path's; null: not known.</summary>
    public TimeSpan? RoundTrip { get; init; }

    /// <summary>
    /// How many there may be on a short link. There it is the processors that sessions share, with the server where that is here too, so that few are enough; but
    /// one that loses packets, or waits for its server's disk, leaves room for others.
    /// </summary>
    public SessionRamp Ramp { get; } = new(int.MaxValue, Math.Max(2, Environment.ProcessorCount / 2));

    /// <summary>The first bytes of an upload, as long as they are not there and have to be before anybody writes behind them; null: nobody waits for them.</summary>
    public FileSegment? Beginning { get; private set; }

    /// <summary>Segments under way.</summary>
    public int Open => _open.Count;

    /// <summary>Why it failed, as soon as that is known.</summary>
    public FileEnd? Failure { get; private set; }

    /// <summary>Downloads: what each segment's session told of the file it read.</summary>
    public List<FileStamp?> Sources { get; } = [];

    /// <summary>What the segments' sessions have checked, the weakest of it.</summary>
    public VerificationMode Verified { get; private set; } = VerificationMode.Size;

    /// <summary>Uploads: the permissions that it gets with its name, as a segment's session has found out last; null: none could tell.</summary>
    public UnixFileMode? Mode { get; set; }

    /// <summary>Uploads: it has its name.</summary>
    public bool Published { get; set; }

    /// <summary>Content bytes that its segments have moved.</summary>
    public long Moved { get; private set; }

    /// <summary>Most attempts that one of its segments took.</summary>
    public int Attempts { get; private set; } = 1;

    /// <summary>Nothing for so long while others have nothing to do: another session is sooner done with what is left. Null: no session has got going yet.</summary>
    public TimeSpan? StallTime
    {
        get
        {
            var stall = Start * Stall;
            if (stall == TimeSpan.Zero) return null;
            return stall < LeastStall ? LeastStall : stall;
        }
    }

    /// <summary>
    /// What has not come of a segment would take its session so long, and sessions that have nothing to do would have it in half of the time, though what is under way comes twice then:
    /// on a long link, where a connection that has lost packets may be far slower than it was when it asked for its last.
    /// </summary>
    /// <param name="left">How long.</param>
    /// <param name="idle">So many sessions.</param>
    public bool IsSoonerDone(TimeSpan left, int idle) => _isLong && left > Worthwhile * (Start + left / idle);

    /// <summary>The first segments, all of the same length: everything.</summary>
    /// <param name="sessions">For so many sessions that are there, or soon will be. One that comes later takes from these.</param>
    /// <param name="isLong">The link is a long one.</param>
    public IReadOnlyList<JobFile> Begin(int sessions = 1, bool isLong = false)
    {
        _isLong = isLong;
        // On a short link it is soon known what one session does; on a long one that would be waiting.
        var count = (int)Math.Clamp(Length / LeastShare, 1, _isLong || _asked is not null ? Math.Min(sessions, _asked ?? int.MaxValue) : 1);
        return [.. Enumerable.Range(0, count).Select(i => Add(new FileSegment(this, Length / count * i, i == count - 1 ? Length : Length / count * (i + 1))))];
    }

    /// <summary>The same where whoever writes from the start of a file cuts off all that is there: its first bytes alone. Everything else, in equal parts, waits until they have arrived.</summary>
    /// <param name="sessions">There may be so many.</param>
    public JobFile BeginAlone(int sessions)
    {
        var (count, rest) = (Math.Clamp(Length / LeastShare, 1, Math.Min(sessions, _asked ?? int.MaxValue)), Length - LeastSplit);
        for (var i = 0; i < count; i++) _waiting.Enqueue(new FileSegment(this, LeastSplit + rest / count * i, i == count - 1 ? Length : LeastSplit + rest / count * (i + 1)));
        return Add(Beginning = new FileSegment(this, 0, LeastSplit));
    }

    /// <summary>A segment's session was given up: what is missing is for all who have nothing to do, in equal parts, of which the segment keeps the first.</summary>
    /// <param name="segment">Nobody has it at the moment.</param>
    /// <param name="sessions">So many.</param>
    public void Divide(FileSegment segment, int sessions)
    {
        for (var parts = sessions; parts > 1; parts--)
        {
            if (segment.CutOff(parts, LeastSplit) is { } part) _waiting.Enqueue(part);
        }
    }

    /// <summary>Offsets where a session has gone on for one that was lost, in the order in which that was.</summary>
    public IReadOnlyList<long> Seams
    {
        get { lock (_seams) return [.. _seams]; }
    }

    /// <summary>A session goes on for one that was lost.</summary>
    public void AddSeam(long offset)
    {
        lock (_seams) _seams.Add(offset);
    }

    /// <summary>Goes on with a file that was broken off: the first of what is missing. The rest waits for whoever has nothing to do.</summary>
    public IReadOnlyList<JobFile> Continue(Continuation continuation)
    {
        Moved = continuation.Kept(Length);
        foreach (var (start, _) in continuation.Holes.Where(hole => hole.Start > 0 && !continuation.IsCompared)) AddSeam(start);
        foreach (var (start, end) in continuation.Holes) _waiting.Enqueue(new FileSegment(this, start, end));
        return [Add(_waiting.Dequeue())];
    }

    /// <summary>Gives half of what would take longest to somebody who has nothing to do; null when nobody would be the sooner done.</summary>
    public JobFile? Share()
    {
        FileSegment? slowest = null;
        var longest = 0d;
        if (Failure is not null || Beginning is not null || _open.Count >= (_asked ?? _climb.Enough)) return null;
        if (_waiting.TryDequeue(out var waiting))
        {
            waiting.Restart(waiting.Start);
            return Add(waiting);
        }
        foreach (var segment in _open)
        {
            if (!IsWorthSharing(segment)) continue;
            // Those that have not begun will be no faster than those that have.
            var seconds = segment.Unclaimed / Math.Max(1, segment.Pace.Rate ?? 1);
            if (seconds <= longest) continue;
            (slowest, longest) = (segment, seconds);
        }
        if (slowest is null) return null;
        var rest = IsStuck(slowest) ? slowest.CutOff(LeastSplit) : slowest.Split(Meanwhile(slowest), LeastOf(slowest.Pace.Rate));
        return rest is null ? null : Add(rest);
    }

    /// <summary>How many more sessions it can use now.</summary>
    /// <param name="opening">How long one takes to open.</param>
    /// <param name="isLong">The link is a long one.</param>
    /// <param name="idle">So many are open and have nothing to do.</param>
    public int Room(TimeSpan opening, bool isLong, int idle = 0)
    {
        if (_open.Count == 0 && IsWaiting) return 1;
        _isLong |= isLong;
        var most = _asked ?? (_isLong ? _climb.Enough : Ramp.Allowed);
        if (Failure is not null || Beginning is not null || _open.Count >= most) return 0;
        var cost = Math.Max(0.001, Worthwhile * (Start + opening).TotalSeconds);
        var room = _waiting.Count + (_isLong && _asked is null ? Math.Max(Climb(cost), Math.Min(idle, _open.Count(IsWorthSharing))) : _open.Sum(segment => Shares(segment, cost)));
        return (int)Math.Clamp(room, 0, most - _open.Count);
    }

    /// <summary>Looks whether the last sessions that were added on a short link have brought anything; called some ten times a second.</summary>
    public void Look()
    {
        if (_isLong || _asked is not null) return;
        var elapsed = Time.GetElapsedTime(_lookedAt);
        _lookedAt = Time.GetTimestamp();
        var (together, left) = Together();
        Ramp.Look(elapsed, busy: _open.Count >= Ramp.Allowed && left > together * SessionRamp.LeastToTry.TotalSeconds);
    }

    /// <summary>A segment has come to its end. True when it was the last.</summary>
    public bool End(JobFile part, FileEnd end)
    {
        var segment = part.Segment!;
        LearnStart(segment);
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
            // Outside of the caller's lock: whoever listens may want to take it.
            _ = _stop.CancelAsync();
        }
        return _open.Count == 0 && !IsWaiting;
    }

    public void Dispose() => _stop.Dispose();

    // Nobody begins with what would be for nothing.
    private bool IsWaiting => _waiting.Count > 0 && Failure is null;

    // From being taken to the first bytes, as far as it was seen with this file.
    private TimeSpan Start
    {
        get
        {
            foreach (var segment in _open) LearnStart(segment);
            return _start ?? TimeSpan.Zero;
        }
    }

    // The quickest: a packet that was lost at the beginning says nothing about the next one.
    private void LearnStart(FileSegment segment)
    {
        if (segment.Pace.Start is { } start && !(start > _start)) _start = start;
    }

    private long Climb(double cost)
    {
        var (together, left) = Together();
        // By the same rule as they are given: who came for nothing would come again and again.
        var given = _open.Count(IsWorthSharing);
        if (given == 0 || left < cost * together) return 0;
        return _climb.More(_open.Count, given, together, IsGrowing);
    }

    // Bytes a second, as far as they are known, and bytes that nobody has asked for.
    private (double Rate, long Left) Together()
    {
        var (rate, left) = (0d, 0L);
        foreach (var segment in _open) (rate, left) = (rate + (segment.Pace.Rate ?? 0), left + segment.Unclaimed);
        return (rate, left);
    }

    // Or most are too young to tell.
    private bool IsGrowing
    {
        get
        {
            var (known, now, before) = (0, 0d, 0d);
            foreach (var segment in _open)
            {
                if (segment.Pace.Rate is not { } rate) continue;
                (known, now, before) = (known + 1, now + rate, before + segment.Pace.RateBefore);
            }
            return 2 * known <= _open.Count || now > SegmentPace.Growth * before;
        }
    }

    private bool IsWorthSharing(FileSegment segment)
    {
        var (left, rate) = (segment.Unclaimed, segment.Pace.Rate);
        if (IsStuck(segment)) return left >= LeastSplit;
        if (_isLong && _asked is null && !segment.Pace.IsSettled) return false;
        return left - Meanwhile(segment) >= 2 * LeastOf(rate);
    }

    // It has been far faster; or nothing of it has come yet, though others needed far less time for that: its session waits for what it asked for before.
    private bool IsStuck(FileSegment segment) => segment.Pace.IsStalled || segment.Pace.Waited > StallTime;

    // What its own session will have moved when another one gets going.
    private long Meanwhile(FileSegment segment) => segment.Pace.Rate is { } rate ? (long)Math.Min(segment.Unclaimed, rate * RunUp * Start.TotalSeconds) : 0;

    // How many sessions could each have a part of its rest that is worth it.
    private long Shares(FileSegment segment, double cost)
    {
        var (left, rate) = (segment.Unclaimed, segment.Pace.Rate);
        if (rate is null && _asked is null) return 0;
        var shares = left / LeastOf(rate);
        if (rate is > 0) shares = (long)Math.Min(shares, left / rate.Value / cost);
        return Math.Max(0, shares - 1);
    }

    private static long LeastOf(double? rate) => rate is null ? LeastShare : LeastSplit;

    private JobFile Add(FileSegment segment)
    {
        _open.Add(segment);
        return new JobFile(File.Spec.ForSegment(File.Folder, _stop.Token), File.Content.PartFor(segment)) { Segment = segment };
    }
}
