using Transfer.Contents;

namespace Transfer.Engine.Segments;

/// <summary>
/// A range of a file that one session moves. The bytes that the session has not claimed can be given to another session: so the end moves
/// towards the start, never into the claimed bytes. Thread-safe.
/// </summary>
internal sealed class FileSegment : IContentRange
{
    private readonly Lock _gate = new();
    private readonly long _first;
    private long _start;
    private long _claimed;
    private long _end;

    public FileSegment(SegmentedFile whole, long start, long end)
    {
        Whole = whole;
        _first = start;
        _start = start;
        _claimed = start;
        _end = end;
        Pace = new SegmentPace(whole.Time, whole.RoundTrip);
    }

    public SegmentedFile Whole { get; }

    /// <inheritdoc cref="SegmentedFile.Beginning"/>
    public bool IsBeginning => Whole.Beginning == this;

    /// <summary>The rate of the segment.</summary>
    public SegmentPace Pace { get; }

    public long Start
    {
        get { lock (_gate) return _start; }
    }

    public long End
    {
        get { lock (_gate) return _end; }
    }

    /// <summary>The number of bytes that earlier attempts have moved.</summary>
    public long Kept
    {
        get { lock (_gate) return _start - _first; }
    }

    /// <summary>The number of bytes that the session has not claimed yet.</summary>
    public long Unclaimed
    {
        get { lock (_gate) return _end - _claimed; }
    }

    /// <summary>See <see cref="Sessions.WorkItem.Claim"/>.</summary>
    public int Claim(long offset, int count)
    {
        lock (_gate)
        {
            var granted = (int)Math.Clamp(_end - offset, 0, count);
            _claimed = Math.Max(_claimed, offset + granted);
            return granted;
        }
    }

    /// <summary>
    /// Cuts off the last unclaimed bytes, at most <paramref name="most"/>; null when there are fewer than <paramref name="least"/>.
    /// </summary>
    public FileSegment? CutOff(long most, long least)
    {
        lock (_gate)
        {
            var part = Math.Min(most, _end - _claimed);
            if (part < least) return null;
            var rest = new FileSegment(Whole, _end - part, _end);
            _end -= part;
            return rest;
        }
    }

    /// <summary>Counts bytes that were moved.</summary>
    public void Moved(long bytes)
    {
        Pace.Moved(bytes);
        Whole.Pace.Moved(bytes);
        Whole.Windows.Moved(bytes);
        Whole.Ramp.Moved(bytes);
    }

    /// <summary>
    /// Restarts the segment for another session after one was lost; the bytes before that are compared with the source at the end.
    /// </summary>
    public void ContinueAt(long offset)
    {
        if (offset > Start) Whole.AddSeam(Math.Min(offset, End));
        Restart(offset);
    }

    /// <summary>Restarts the segment at <paramref name="offset"/> for another attempt: the bytes before have arrived.</summary>
    public void Restart(long offset)
    {
        lock (_gate) _start = _claimed = Math.Clamp(offset, _start, _end);
        Pace.Restart();
    }
}
