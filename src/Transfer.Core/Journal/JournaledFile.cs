namespace Transfer.Journal;

/// <summary>What a job's journal is told of one file, through all attempts at it. Thread-safe.</summary>
internal sealed class JournaledFile
{
    // More often costs more than sending it again.
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

    /// <summary>Large enough to be continued, and nobody would take another source for it.</summary>
    public bool MayContinue { get; }

    /// <summary>Where an earlier run was broken off; null: the file begins at its beginning.</summary>
    public Continuation? Continuation { get; set; }

    /// <summary>A session is about to get it.</summary>
    public void Taken() => _journal.Taken(_key, Stamp);

    /// <summary>It is now written under that name, from its beginning.</summary>
    /// <param name="temporary">The name.</param>
    /// <param name="isDivided">By several sessions.</param>
    public void Began(string temporary, bool isDivided = false)
    {
        lock (_gate) _confirmed.Clear();
        if (MayContinue || _journal.NamesAll) _journal.Began(Name, Stamp, temporary, isDivided);
    }

    /// <summary>Uploads: the server has confirmed everything from <paramref name="start"/>, where an attempt began.</summary>
    /// <param name="start">The first byte of the attempt.</param>
    /// <param name="end">The byte after the last that was confirmed.</param>
    /// <param name="isLast">Nothing more will be confirmed of this attempt.</param>
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
        _journal.Arrived(Name, start, end, []);
    }

    /// <summary>Uploads: where to go on after an attempt that was cut off; null: so little has arrived that it is sent again.</summary>
    public Continuation? AfterConfirmed(string temporary)
    {
        var arrived = new ByteRanges();
        lock (_gate)
        {
            foreach (var (start, (end, _)) in _confirmed) arrived.Add(start, end);
        }
        return MayContinue && arrived.Count >= JobJournal.LeastContinued ? Continuation.Of(temporary, arrived, Stamp.Length) : null;
    }

    /// <summary>Downloads: a range is on the disk.</summary>
    public void Written(long start, long end, byte[] tail) => _journal.Arrived(Name, start, end, tail);

    /// <summary>It is there under its name.</summary>
    public void Done() => _journal.Done(_key, Stamp);
}
