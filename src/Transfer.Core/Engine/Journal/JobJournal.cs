using Transfer.Local;

namespace Transfer.Engine.Journal;

/// <summary>What a job has done, on disk as it goes, so that it can be continued after whatever broke it off. Thread-safe but for what is read at the beginning.</summary>
internal sealed class JobJournal : IDisposable
{
    /// <summary>Smaller files are begun anew.</summary>
    public const long LeastContinued = 4 << 20;

    private readonly JournalFile _file;
    private readonly Dictionary<NameKey, SourceStamp> _done = [];
    private readonly Dictionary<string, PartialFile> _partial = new(StringComparer.Ordinal);
    private readonly HashSet<string> _runs = new(StringComparer.Ordinal);
    private string? _otherJob;

    private JobJournal(string path) => _file = JournalFile.Open(path, Read);

    /// <summary>Opens the journal of a job.</summary>
    /// <param name="path">The file.</param>
    /// <param name="job">Operation, source and target: what is continued must be the same.</param>
    /// <param name="names">The run's temporary names.</param>
    /// <param name="resume">Continue what is there; else it is forgotten but for the names of its temporary files.</param>
    /// <exception cref="TransferException">It is in use, of another job, or not to be written.</exception>
    public static JobJournal Open(string path, string job, TemporaryNames names, bool resume)
    {
        JobJournal journal;
        try
        {
            journal = new JobJournal(path);
        }
        catch (Exception e) when (LocalErrors.IsLocal(e))
        {
            throw LocalErrors.Map(e, "The job's journal cannot be opened (is another run of the job under way?):", path);
        }
        if (journal._otherJob ?? journal.Job is { } known && known != job)
        {
            var other = journal.Job;
            journal.Dispose();
            throw new TransferException(TransferError.Exists, $"{path} is the journal of another job: {other}.");
        }
        journal.Begin(job, names, resume);
        return journal;
    }

    /// <summary>There was an earlier run, and this one continues it.</summary>
    public bool Continues { get; private set; }

    private string? Job { get; set; }

    /// <summary>A file that an earlier run has finished, and whose source is what it was then.</summary>
    public bool IsDone(string name, SourceStamp stamp) => stamp.IsKnown && _done.TryGetValue(NameKey.Of(name), out var then) && then == stamp;

    /// <summary>A file that an earlier run has begun; null: none has. It is given once.</summary>
    public PartialFile? TakePartial(string name)
    {
        lock (_partial) return _partial.Remove(name, out var partial) ? partial : null;
    }

    /// <summary>A name in a folder is that of a temporary file of an earlier run, and nobody will continue it.</summary>
    /// <param name="name">The name alone.</param>
    public bool IsLeftover(string name)
    {
        if (TemporaryNames.RunOf(name) is not { } run || !_runs.Contains(run)) return false;
        lock (_partial) return !_partial.Values.Any(partial => RemotePath.GetName(partial.Temporary.Replace('\\', '/')) == name);
    }

    /// <summary>What was begun and has not been continued: its source is gone, or was not to be sent again.</summary>
    public IReadOnlyList<string> Abandoned()
    {
        lock (_partial) return [.. _partial.Values.Select(partial => partial.Temporary)];
    }

    public void Began(string name, SourceStamp stamp, string temporary) => _file.Append(new JournalRecord.FileBegan(name, stamp, temporary).ToBytes());

    public void Arrived(string name, long start, long end, byte[] tail) => _file.Append(new JournalRecord.RangeArrived(name, start, end, tail).ToBytes());

    public void Done(string name, SourceStamp stamp)
    {
        if (stamp.IsKnown) _file.Append(new JournalRecord.FileDone(NameKey.Of(name), stamp).ToBytes());
    }

    /// <summary>Nothing is left to be done: there is nothing to continue.</summary>
    public void Delete() => _file.Delete();

    public void Dispose() => _file.Dispose();

    private void Begin(string job, TemporaryNames names, bool resume)
    {
        Continues = resume && Job is not null;
        if (!Continues)
        {
            _done.Clear();
            // Whatever is found of the earlier run's files is nobody's any more.
            _partial.Clear();
            _file.Clear();
            foreach (var run in _runs) _file.Append(new JournalRecord.RunBegan(job, run).ToBytes());
        }
        _file.Append(new JournalRecord.RunBegan(job, names.Run).ToBytes());
        _file.FlushToDisk();
    }

    private bool Read(ReadOnlyMemory<byte> bytes)
    {
        var record = JournalRecord.Parse(bytes);
        // What does not begin with a run is no journal: it is not ours to overwrite.
        if (Job is null && record is not JournalRecord.RunBegan)
        {
            _otherJob = "unknown";
            return false;
        }
        switch (record)
        {
            case JournalRecord.RunBegan run:
                Job ??= run.Job;
                _runs.Add(run.Names);
                return run.Job == Job;
            case JournalRecord.FileBegan file:
                _partial[file.Name] = new PartialFile { Temporary = file.Temporary, Stamp = file.Stamp };
                return true;
            case JournalRecord.RangeArrived range:
                if (_partial.TryGetValue(range.Name, out var partial)) partial.Ranges.Add(range);
                return true;
            case JournalRecord.FileDone done:
                _done[done.Name] = done.Stamp;
                return true;
            default:
                return false;
        }
    }
}
