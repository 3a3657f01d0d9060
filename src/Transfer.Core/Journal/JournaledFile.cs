namespace Transfer.Journal;

/// <summary>The notes in a job's journal on one file, through all attempts. Thread-safe.</summary>
internal sealed class JournaledFile
{
    // Notes more often cost more than sending the range again.
    private const long Step = 4 << 20;

    private readonly JobJournal _journal;
    private readonly NameKey _key;
    private readonly Lock _gate = new();
    private readonly Dictionary<long, (long Confirmed, long Told)> _confirmed = [];

    public JournaledFile(JobJournal journal, string name, SourceStamp stamp, bool inRanges)
    {
        _journal = journal;
        _key = NameKey.Of(name);
        Name = name;
        Stamp = stamp;
        MayContinue = inRanges && stamp is { IsKnown: true, Length: >= JobJournal.LeastContinued };
    }

    public string Name { get; }

    public SourceStamp Stamp { get; }

    /// <summary>The journal's clock.</summary>
    public TimeProvider Time => _journal.Time;

    /// <summary>Whether the file may be continued: large enough, and of a source with a known stamp.</summary>
    public bool MayContinue { get; }

    /// <summary>The place where an earlier run was interrupted; null: the file begins at the first byte.</summary>
    public Continuation? Continuation { get; set; }

    /// <summary>Notes that a session is about to get the file.</summary>
    public void Taken() => _journal.NoteStart(_key, Stamp);

    /// <summary>Notes that the file is now written under a temporary name, from the first byte.</summary>
    /// <param name="temporary">The name.</param>
    /// <param name="isDivided">Whether several sessions write.</param>
    public void Began(string temporary, bool isDivided = false)
    {
        lock (_gate) _confirmed.Clear();
        if (MayContinue || _journal.NamesAll) _journal.NotePartial(Name, Stamp, temporary, isDivided);
    }

    /// <summary>Notes, for uploads, that the server has confirmed all bytes from <paramref name="start"/>, where an attempt
    /// began.</summary>
    /// <param name="start">The first byte of the attempt.</param>
    /// <param name="end">The byte after the last that was confirmed.</param>
    /// <param name="isLast">Whether no more confirmations of this attempt follow.</param>
    public void Confirmed(long start, long end, bool isLast)
    {
        if (!MayContinue) return;
        lock (_gate)
        {
            var told = _confirmed.TryGetValue(start, out var known) ? known.Told : start;
            var tells = end > told && (isLast || end - told >= Step);
            _confirmed[start] = (end, tells ? end : told);
            if (!tells) return;
        }
        _journal.NoteRange(Name, start, end, []);
    }

    /// <summary>Notes, for uploads, the rest of the confirmed bytes of an attempt that was cut off: several short parts of one file would
    /// else all be sent again.</summary>
    /// <param name="start">The first byte of the attempt.</param>
    public void Interrupted(long start)
    {
        long end;
        lock (_gate) end = _confirmed.TryGetValue(start, out var known) ? known.Confirmed : start;
        if (end > start) Confirmed(start, end, isLast: true);
    }

    /// <summary>Uploads: the continuation after an attempt that was cut off; null: so little has arrived that all is sent again.</summary>
    public Continuation? AfterConfirmed(string temporary)
    {
        var arrived = new ByteRanges();
        lock (_gate)
        {
            foreach (var (start, (end, _)) in _confirmed) arrived.Add(start, end);
        }
        return MayContinue && arrived.Count >= JobJournal.LeastContinued ? Continuation.Of(temporary, arrived, Stamp.Length) : null;
    }

    /// <summary>Notes, for downloads, that a range is on the disk.</summary>
    public void Written(long start, long end, byte[] tail) => _journal.NoteRange(Name, start, end, tail);

    /// <summary>Notes that the file is at the target under the final name.</summary>
    public void Done() => _journal.NoteFinished(_key, Stamp);
}
