using Transfer.Batch.Carriers.Spool.Records;
using Transfer.Batch.Sealing;
using Transfer.Batch.Wire;
using Transfer.Local;

namespace Transfer.Batch.Carriers.Spool.Fetching;

/// <summary>A recipient's record of a job: on disk during the fetch, and kept for good, so that no store can present the job again.
/// Thread-safe except for the values read at the beginning.</summary>
internal sealed class JobMemory : IDisposable
{
    private const byte BegunKind = 1;
    private const byte ArchiveKind = 2;
    private const byte FinishedKind = 3;
    private const byte ConfirmedKind = 4;
    private const byte UnfinishedKind = 5;
    private const byte AgainKind = 6;
    private const byte LackingKind = 7;
    private const byte LacksMoreKind = 8;

    private readonly Lock _gate = new();
    private readonly SortedDictionary<long, byte[]> _archives = [];
    private readonly HashSet<string> _unfinished = [];
    private readonly HashSet<string> _lacking = [];
    private int _lackingLength;
    private readonly JournalFile _file;
    private readonly string _path;

    private JobMemory(string path)
    {
        _path = path;
        _file = JournalFile.Open(path, Read);
    }

    /// <summary>The folder of the job, once begun; null: not begun.</summary>
    public string? Folder { get; private set; }

    /// <summary>The confirmation of a completely received job; null: incomplete.</summary>
    public byte[]? Final { get; private set; }

    /// <summary>Whether the final confirmation is or was in the store, and this recipient has nothing left to delete there.</summary>
    public bool IsConfirmed { get; private set; }

    public int Count
    {
        get { lock (_gate) return _archives.Count; }
    }

    /// <summary>The first archive that is not here.</summary>
    public long FirstMissing
    {
        get
        {
            lock (_gate)
            {
                long number = 0;
                foreach (var one in _archives.Keys)
                {
                    if (one != number) break;
                    number++;
                }
                return number;
            }
        }
    }

    /// <exception cref="TransferException">Another fetcher has the record open, or writing failed.</exception>
    public static JobMemory Open(SpoolState state, string recipient, JobId job)
    {
        var path = PathOf(state, recipient, job);
        try
        {
            return new JobMemory(path);
        }
        catch (Exception e) when (LocalErrors.IsLocal(e))
        {
            throw LocalErrors.Map(e, "The record of the job cannot be read (is another fetch for the same recipient under way?):", path);
        }
    }

    /// <summary>Whether the job was received and confirmed, so that its files in the store are useless.</summary>
    public static bool HasConfirmed(SpoolState state, string recipient, JobId job) =>
        Check(state, recipient, job, memory => memory.IsConfirmed);

    /// <summary>Whether all of the job was received, confirmed or not.</summary>
    public static bool HasReceived(SpoolState state, string recipient, JobId job) =>
        Check(state, recipient, job, memory => memory.Final is not null);

    public void Begin(string folder)
    {
        Folder = folder;
        Append(new RecordWriter().Byte(BegunKind).Text(folder));
        Flush();
    }

    public bool Has(long number)
    {
        lock (_gate) return _archives.ContainsKey(number);
    }

    /// <summary>Returns the path for an archive of the job while it is read.</summary>
    public string ScratchOf(long number) => FormattableString.Invariant($"{_path}.{number}");

    /// <summary>The files of an archive are safe.</summary>
    public void Add(long number, byte[] digest)
    {
        lock (_gate) _archives[number] = digest;
        Append(new RecordWriter().Byte(ArchiveKind).Number(number).Bytes(digest));
    }

    /// <summary>Drops the record of archives, which must all be taken once more.</summary>
    public void Forget()
    {
        lock (_gate) _archives.Clear();
        Append(new RecordWriter().Byte(AgainKind));
    }

    /// <summary>The paths of files that have or had missing slices. Recorded before the archives that held the slices.</summary>
    public IReadOnlyCollection<string> Unfinished
    {
        get { lock (_gate) return [.. _unfinished]; }
    }

    public void AddUnfinished(IEnumerable<string> paths)
    {
        foreach (var path in paths)
        {
            lock (_gate)
            {
                if (!_unfinished.Add(path)) continue;
            }
            Append(new RecordWriter().Byte(UnfinishedKind).Text(path));
        }
    }

    /// <summary>Files that are not here as they were sent. Remembered before the archives are that they were in.</summary>
    public IReadOnlyCollection<string> Lacking
    {
        get { lock (_gate) return [.. _lacking]; }
    }

    /// <summary>Whether there are more such files than a confirmation can hold.</summary>
    public bool LacksMore { get; private set; }

    public void AddLacking(IEnumerable<string> paths)
    {
        foreach (var path in paths)
        {
            var before = LacksMore;
            lock (_gate)
            {
                if (LacksMore || !TryLack(path)) continue;
            }
            Append(LacksMore && !before ? new RecordWriter().Byte(LacksMoreKind) : new RecordWriter().Byte(LackingKind).Text(path));
        }
    }

    /// <summary>The SHA-256 of archives, in the order of their numbers.</summary>
    public IReadOnlyList<byte[]> Digests(Func<long, bool> which)
    {
        lock (_gate) return [.. _archives.Where(archive => which(archive.Key)).Select(archive => archive.Value)];
    }

    public void Finish(byte[] confirmation)
    {
        Final = confirmation;
        Append(new RecordWriter().Byte(FinishedKind).Bytes(confirmation));
    }

    public void Confirm()
    {
        IsConfirmed = true;
        Append(new RecordWriter().Byte(ConfirmedKind));
    }

    /// <summary>Deletes the record, which holds nothing.</summary>
    public void Delete() => _file.Delete();

    public void Dispose() => _file.Dispose();

    private static bool Check(SpoolState state, string recipient, JobId job, Func<JobMemory, bool> what)
    {
        if (!DiskFiles.Exists(PathOf(state, recipient, job))) return false;
        try
        {
            using var memory = Open(state, recipient, job);
            return what(memory);
        }
        catch (TransferException)
        {
            // The run that resumes the job reports the error.
            return false;
        }
    }

    private static string PathOf(SpoolState state, string recipient, JobId job) => state.PathOf($"job {job} of {recipient}", ".job");

    // Before any change that other processes rely on: a power cut must not leave the change alone.
    private void Flush()
    {
        try
        {
            _file.Flush();
        }
        catch (Exception e) when (LocalErrors.IsLocal(e))
        {
            throw LocalErrors.Map(e, "Cannot write", "the record of the job");
        }
    }

    // An archive that can't be recorded must not be confirmed.
    private void Append(RecordWriter record)
    {
        try
        {
            lock (_gate) _file.Append(record.ToArray());
        }
        catch (Exception e) when (LocalErrors.IsLocal(e))
        {
            throw LocalErrors.Map(e, "Cannot write", "the record of the job");
        }
    }

    // False: that is known.
    private bool TryLack(string path)
    {
        if (!_lacking.Add(path)) return false;
        _lackingLength += SpoolConfirmation.LengthOf(path);
        if (_lackingLength <= SpoolConfirmation.MostLacking) return true;
        _lacking.Remove(path);
        return LacksMore = true;
    }

    private bool Read(ReadOnlyMemory<byte> bytes)
    {
        var fields = new LinkFields(bytes.Span);
        switch (bytes.IsEmpty ? 0 : fields.Byte())
        {
            case BegunKind:
                Folder = fields.Text();
                return true;
            case ArchiveKind when bytes.Length == 1 + sizeof(long) + 32:
                _archives[fields.Number()] = fields.Bytes(32);
                return true;
            case FinishedKind:
                Final = bytes[1..].ToArray();
                return true;
            case UnfinishedKind:
                _unfinished.Add(fields.Text());
                return true;
            case AgainKind:
                _archives.Clear();
                return true;
            case LackingKind:
                TryLack(fields.Text());
                return true;
            case LacksMoreKind:
                LacksMore = true;
                return true;
            case ConfirmedKind:
                IsConfirmed = true;
                return true;
            default:
                return false;
        }
    }
}
