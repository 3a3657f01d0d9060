namespace Transfer.Local;

/// <summary>
/// Which bytes of a file were written, and which of them a flush has proved to be on the disk, as decisions without input or output. After a flush that failed nothing more is ever proved: Linux
/// marks the pages clean, and a later flush succeeds without them. Not thread-safe.
/// </summary>
internal sealed class WrittenLedger
{
    private readonly List<Run> _runs = [];

    /// <summary>A flush has failed.</summary>
    public bool HasFailed { get; private set; }

    /// <summary>Bytes were written; each session writes in ascending order.</summary>
    /// <returns>So many bytes of this session are not proved.</returns>
    public long Wrote(long offset, int count)
    {
        var run = _runs.Find(run => run.Next == offset);
        if (run is null) _runs.Add(run = new Run { Start = offset, Next = offset, Proved = offset });
        run.Next += count;
        return run.Next - run.Proved;
    }

    /// <summary>All that was written, proved or not.</summary>
    public ByteRanges Written()
    {
        var written = new ByteRanges();
        foreach (var run in _runs) written.Add(run.Start, run.Next);
        return written;
    }

    /// <summary>What a flush that begins now will prove, each with all that was written before it; nothing after one that failed.</summary>
    public IReadOnlyList<(Run Run, long Start, long End)> Unproved() => HasFailed ? [] : [.. _runs.Where(run => run.Next > run.Proved).Select(run => (run, run.Start, run.Next))];

    /// <summary>A flush that began with this range has succeeded, and the journal knows of it.</summary>
    public void Prove(Run run, long end)
    {
        if (HasFailed) throw new InvalidOperationException("Nothing is proved any more.");
        run.Proved = end;
    }

    /// <summary>A flush has failed.</summary>
    public void Fail() => HasFailed = true;

    /// <summary>What one session has written, without a hole.</summary>
    public sealed class Run
    {
        public required long Start { get; init; }

        public required long Next { get; set; }

        /// <summary>What is proved ends here.</summary>
        public required long Proved { get; set; }
    }
}
