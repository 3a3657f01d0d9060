namespace Transfer.Local;

/// <summary>
/// The bytes of a file that were written, and those that a flush has proved to be on the disk, as decisions without input or output. After
/// a failed flush nothing more is ever proved: Linux marks the pages clean, and a later flush succeeds without them. Not thread-safe.
/// </summary>
internal sealed class WrittenLedger
{
    private readonly List<Run> _runs = [];

    /// <summary>Whether a flush has failed.</summary>
    public bool HasFailed { get; private set; }

    /// <summary>Records bytes written; each session writes in ascending order.</summary>
    /// <returns>The number of bytes of this session that are not proved.</returns>
    public long Wrote(long offset, int count)
    {
        var run = _runs.Find(run => run.Next == offset);
        if (run is null) _runs.Add(run = new Run { Start = offset, Next = offset, Proved = offset });
        run.Next += count;
        return run.Next - run.Proved;
    }

    /// <summary>All ranges written, proved or not.</summary>
    public ByteRanges Written()
    {
        var written = new ByteRanges();
        foreach (var run in _runs) written.Add(run.Start, run.Next);
        return written;
    }

    /// <summary>The ranges that a flush beginning now will prove, each with all bytes written before; none after a failed flush.</summary>
    public IReadOnlyList<(Run Run, long Start, long End)> Unproved() =>
        HasFailed ? [] : [.. _runs.Where(run => run.Next > run.Proved).Select(run => (run, run.Start, run.Next))];

    /// <summary>Marks a range as proved: a flush that began after its writing has succeeded, and the journal has a note of the
    /// range.</summary>
    public void Prove(Run run, long end)
    {
        if (HasFailed) throw new InvalidOperationException("Nothing is proved any more.");
        run.Proved = end;
    }

    /// <summary>Records a failed flush.</summary>
    public void Fail() => HasFailed = true;

    /// <summary>A range that one session has written, without a hole.</summary>
    public sealed class Run
    {
        public required long Start { get; init; }

        public required long Next { get; set; }

        /// <summary>The end of the proved bytes.</summary>
        public required long Proved { get; set; }
    }
}
