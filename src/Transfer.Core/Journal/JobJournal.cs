using System.Collections.Concurrent;
using Microsoft.Extensions.Logging;
using Transfer.Diagnostics;
using Transfer.Local;

namespace Transfer.Journal;

/// <summary>The progress of a job, written to the disk at each step, so that the job can be continued after any interruption. Thread-safe
/// but for the members read at the beginning.</summary>
internal sealed class JobJournal : IDisposable
{
    /// <summary>The least length in bytes of a file that is continued; smaller ones begin anew.</summary>
    public const long LeastContinued = 4 << 20;

    // Each write takes a lock, and a system call that costs more than making the record; more records at once save next to nothing.
    private const int MostAtOnce = 1000;

    // The bytes behind the mark may be anything.
    private const int MostExpected = 4 << 20;

    private readonly JournalFile _file;
    private readonly JournalFlusher _flusher;
    private readonly Dictionary<NameKey, SourceStamp> _taken = [];
    private readonly FinishedFiles _done = new();
    private readonly Dictionary<NameKey, PartialFile> _partial = [];
    private readonly HashSet<string> _continued = new(StringComparer.Ordinal);
    private readonly HashSet<string> _runs = new(StringComparer.Ordinal);
    private readonly HashSet<string> _left = new(StringComparer.Ordinal);
    private readonly ConcurrentDictionary<string, string> _kept = new(StringComparer.Ordinal); // temporary path -> path of the content
    private readonly ConcurrentDictionary<string, string> _asides = new(StringComparer.Ordinal); // aside -> original path
    private readonly ILogger _logger;
    private string? _job;
    private string? _run;
    private volatile bool _broken;
    private volatile bool _hasNotes;
    private bool _deleted;

    private JobJournal(string path, JournalFlush flush, TimeProvider time, ILogger logger)
    {
        _logger = logger;
        Time = time;
        _file = JournalFile.Open(path, Read, Expect);
        _flusher = new JournalFlusher(_file, flush, time, OnBroken);
    }

    /// <summary>Opens the journal of a job.</summary>
    /// <param name="path">The file.</param>
    /// <param name="job">Operation, source and target: those of a continued job must be the same.</param>
    /// <param name="names">The run's temporary names.</param>
    /// <param name="resume">Whether to continue the job of the journal; else all but the temporary files is forgotten.</param>
    /// <param name="namesAll">See <see cref="NamesAll"/>.</param>
    /// <param name="logger">Receives the warning that the journal cannot be written any more.</param>
    /// <param name="flush">When the journal is flushed to the disk.</param>
    /// <param name="time">The clock; null: the system's.</param>
    /// <exception cref="TransferException">The journal is in use, of another job, or not to be written.</exception>
    public static JobJournal Open(
        string path, string job, TemporaryNames names, bool resume, bool namesAll, ILogger logger,
        JournalFlush flush = JournalFlush.EachSecond, TimeProvider? time = null)
    {
        JobJournal? journal = null;
        try
        {
            journal = new JobJournal(path, flush, time ?? TimeProvider.System, logger) { NamesAll = namesAll };
            if (journal._job is { } known && known != job)
                throw new TransferException(TransferError.Exists, $"{path} is the journal of another job: {known}.");
            journal.Begin(job, names, resume);
            journal._flusher.OnWritten();
            return journal;
        }
        catch (Exception e)
        {
            journal?.Dispose();
            if (!LocalErrors.IsLocal(e)) throw;
            if (e is IOException taken && LockedFile.IsTaken(taken))
            {
                throw new TransferException(TransferError.Exists,
                    $"Another run of this job is under way, and has its journal {path}: {job}. Nothing was done.",
                    e)
                { IsTransient = true };
            }

            throw LocalErrors.Map(e, "The job's journal cannot be opened:", path);
        }
    }

    /// <summary>
    /// Opens the journal as <see cref="Open"/> does. Null: the disk is full, which ends no job that continues none, as it ends none
    /// later.
    /// </summary>
    /// <inheritdoc cref="Open"/>
    public static JobJournal? OpenIfRoom(
        string path, string job, TemporaryNames names, bool resume, bool namesAll, ILogger logger,
        JournalFlush flush = JournalFlush.EachSecond, TimeProvider? time = null)
    {
        try
        {
            return Open(path, job, names, resume, namesAll, logger, flush, time);
        }
        catch (TransferException e) when (!resume && e is { Error: TransferError.Quota, IsTransient: false })
        {
            Log.NoJournal(logger, e.Message);
            return null;
        }
    }

    /// <summary>The name of a job in its journal.</summary>
    public static string JobOf(string operation, string source, string target) => $"{operation} {source} to {target}";

    /// <summary>The clock.</summary>
    public TimeProvider Time { get; }

    /// <summary>Whether this run continues an earlier one.</summary>
    public bool Continues { get; private set; }

    /// <summary>
    /// Whether there were earlier runs, continued or not, that did not end well. None of them runs any more: a live run has its journal to
    /// itself, and the system releases the journal of a killed run.
    /// </summary>
    public bool KnowsEarlierRuns => _runs.Count > 0;

    /// <summary>Temporary files that earlier runs may have left, as far as their paths are known, and that are not continued. Folders have
    /// a slash behind their names.</summary>
    public IReadOnlyList<string> Leftovers => [.. _left.Where(path => IsOfEarlierRun(NameOf(path)))];

    /// <summary>Files with the only copy of some content, and the paths that the content belongs to: no run deletes these files.</summary>
    public IReadOnlyList<(string Path, string KeptAs)> Kept => [.. _kept.Select(stays => (stays.Value, stays.Key))];

    /// <summary>Files of the target that earlier runs may have moved aside and not put back.</summary>
    public IReadOnlyList<(string Path, string Aside)> Asides => [.. _asides.Select(aside => (aside.Value, aside.Key))];

    /// <summary>
    /// Whether every temporary file is named here, however short: the job looks through no folder, where a later run would find leftovers.
    /// </summary>
    public bool NamesAll { get; init; }

    /// <summary>The source stamp of a file that an earlier run has put at the target; null: none has.</summary>
    public SourceStamp? FinishedAs(string name) => _done.Count > 0 ? _done.Find(NameKey.Of(name)) : null;

    /// <summary>Whether an earlier run put the file at the target there, from the present version of the source.</summary>
    /// <param name="name">The file's name at the target.</param>
    /// <param name="stamp">The source.</param>
    /// <param name="length">The length of the file at the target.</param>
    public bool Owns(string name, SourceStamp stamp, long length) => Matches(stamp, length) && _done.Find(NameKey.Of(name)) == stamp;

    /// <summary>Whether an earlier run was about to put this source there when interrupted: only the content at the target shows the
    /// rest.</summary>
    /// <inheritdoc cref="Owns"/>
    public bool MayOwn(string name, SourceStamp stamp, long length) =>
        Matches(stamp, length) && _taken.TryGetValue(NameKey.Of(name), out var then) && then == stamp;

    private static bool Matches(SourceStamp stamp, long length) => stamp.IsKnown && stamp.Length == length;

    /// <summary>Takes a file that an earlier run has begun; null: none has. Each file is given once.</summary>
    public PartialFile? TakePartial(string name)
    {
        lock (_partial)
        {
            if (!_partial.Remove(NameKey.Of(name), out var partial)) return null;
            _continued.Add(NameOf(partial.Temporary));
            return partial;
        }
    }

    /// <summary>Whether a name in a folder is that of a temporary file of an earlier run that no run continues.</summary>
    /// <param name="name">The name alone.</param>
    public bool IsLeftover(string name)
    {
        if (!IsOfEarlierRun(name) || !_kept.IsEmpty && _kept.Keys.Any(path => NameOf(path) == name)) return false;
        lock (_partial) return !_continued.Contains(name) && !_partial.Values.Any(partial => NameOf(partial.Temporary) == name);
    }

    /// <summary>The temporary files that were begun and not continued: the source is gone, or was not to be sent again.</summary>
    public IReadOnlyList<string> Abandoned()
    {
        lock (_partial) return [.. _partial.Values.Select(partial => partial.Temporary).Where(MayDelete)];
    }

    /// <summary>Forgets those of <see cref="Leftovers"/> that are gone. To be called before any other note.</summary>
    public void Forget(IEnumerable<string> gone)
    {
        _left.ExceptWith(gone);
        // A continued journal stays as is, and lists these files until the job ends.
        if (!Continues) Append(WriteHead);
    }

    public void NoteStart(NameKey name, SourceStamp stamp)
    {
        if (stamp.IsKnown) Append(new JournalRecord.FileStarted(name, stamp));
    }

    public void NotePartial(string name, SourceStamp stamp, string temporary, bool isDivided = false) =>
        Append(new JournalRecord.FileBegan(name, stamp, temporary, isDivided));

    /// <summary>Notes that a temporary file (with a slash behind the name: a folder) is about to be made: if this run does not delete the
    /// file, a later run does.</summary>
    public void NoteLeftover(string temporary) => Append(new JournalRecord.LeftoverFile(temporary));

    /// <summary>Notes that a file noted as left is not to be deleted by any run.</summary>
    /// <param name="temporary">The path of the file.</param>
    /// <param name="path">The path that the content belongs to.</param>
    public void NoteKept(string temporary, string path)
    {
        _kept[temporary] = path;
        Append(new JournalRecord.FileKept(temporary, path));
    }

    /// <summary>Notes that a kept file is not there any more.</summary>
    public void NoteKeptGone(string temporary)
    {
        if (_kept.TryRemove(temporary, out _)) Append(new JournalRecord.FileKeptEnded(temporary));
    }

    /// <summary>Whether a temporary file may be deleted: its content exists elsewhere too.</summary>
    public bool MayDelete(string temporary) => !_kept.ContainsKey(temporary);

    /// <summary>Notes that a file of the target is about to be moved aside. The note is on the disk when the call returns: after a kill,
    /// only the note leads to the file.</summary>
    public void AsideBegan(string path, string aside)
    {
        _asides[aside] = path;
        Append(new JournalRecord.AsideBegan(path, aside));
        _flusher.Flush();
    }

    /// <summary>Notes that there is no file aside any more under that path.</summary>
    public void AsideEnded(string aside)
    {
        _asides.TryRemove(aside, out _);
        Append(new JournalRecord.AsideEnded(aside));
    }

    public void NoteRange(string name, long start, long end, byte[] tail) => Append(new JournalRecord.RangeArrived(name, start, end, tail));

    public void NoteFinished(NameKey name, SourceStamp stamp)
    {
        if (stamp.IsKnown) Append(new JournalRecord.FileDone(name, stamp));
    }

    /// <summary>Notes files that are at the target. A crash meanwhile leaves the first notes, or none.</summary>
    public void NoteFinished(IEnumerable<(NameKey Name, SourceStamp Stamp)> files)
    {
        foreach (var some in files.Where(file => file.Stamp.IsKnown).Chunk(MostAtOnce))
        {
            _hasNotes = true;
            Append(() => _file.Append(some.Select(file => new JournalRecord.FileDone(file.Name, file.Stamp).ToBytes())));
        }
    }

    /// <summary>Whether nothing was begun: the journal holds nothing to continue or delete.</summary>
    public bool IsEmpty => !_hasNotes && !KnowsEarlierRuns;

    /// <summary>Whether all notes survive a power cut.</summary>
    public bool IsFlushed => _file.IsFlushed;

    /// <summary>Ends a finished job. Files without their final names stay noted, for the next run to name; without such files nothing
    /// remains to continue.</summary>
    public void End()
    {
        if (_kept.IsEmpty && _asides.IsEmpty)
        {
            Delete();
            return;
        }
        _runs.Add(_run!);
        _left.Clear();
        Append(WriteHead);
    }

    /// <summary>Deletes the journal of a job with nothing left to continue.</summary>
    public void Delete()
    {
        if (_deleted) return;
        _deleted = true;
        _flusher.Dispose();
        try
        {
            _file.Delete();
        }
        catch (Exception e) when (LocalErrors.IsLocal(e))
        {
            // The notes on finished files hold for a later run too.
            Log.JournalStays(_logger, e.Message);
        }
    }

    /// <summary>Closes the journal, or deletes an empty one. May wait for the disk.</summary>
    public Task CloseAsync()
    {
        if (!IsEmpty) return Task.Run(Dispose);
        Delete();
        return Task.CompletedTask;
    }

    /// <summary>Flushes the notes, and closes the journal.</summary>
    public void Dispose()
    {
        _flusher.Flush();
        _flusher.Dispose();
        _file.Dispose();
    }

    private void Append(JournalRecord record)
    {
        _hasNotes = true;
        Append(() => _file.Append(record.ToBytes()));
    }

    // A job that can't be continued is no reason to abort the job.
    private void Append(Action write)
    {
        if (_broken) return;
        try
        {
            write();
            _flusher.OnWritten();
        }
        catch (Exception e) when (LocalErrors.IsLocal(e))
        {
            OnBroken(e);
        }
    }

    private void OnBroken(Exception e)
    {
        _broken = true;
        Log.JournalBroken(_logger, e.Message);
    }

    // Local paths of Windows too.
    private static string NameOf(string path) => path[(path.AsSpan().TrimEnd('/').LastIndexOfAny('/', '\\') + 1)..].TrimEnd('/');

    /// <summary>Whether a temporary name is that of an earlier run.</summary>
    public bool IsOfEarlierRun(string name) => TemporaryNames.RunOf(name) is { } run && IsEarlierRun(run);

    /// <summary>Whether a run is an earlier one.</summary>
    public bool IsEarlierRun(string run) => _runs.Contains(run);

    private void Begin(string job, TemporaryNames names, bool resume)
    {
        Continues = resume && _job is not null;
        _job = job;
        _run = names.Run;
        if (Continues)
        {
            _file.Append(new JournalRecord.RunBegan(job, _run).ToBytes());
            return;
        }
        // The earlier runs' temporary files stay known as such: this run deletes them, or a later one.
        foreach (var partial in _partial.Values.Where(partial => MayDelete(partial.Temporary))) _left.Add(partial.Temporary);
        _taken.Clear();
        _done.Clear();
        _partial.Clear();
        WriteHead();
    }

    private void WriteHead() => _file.Rewrite(
    [
        .. _runs.Append(_run!).Select(run => new JournalRecord.RunBegan(_job!, run).ToBytes()),
        .. _left.Select(path => new JournalRecord.LeftoverFile(path).ToBytes()),
        .. _kept.Select(stays => new JournalRecord.FileKept(stays.Key, stays.Value).ToBytes()),
        .. _asides.Select(aside => new JournalRecord.AsideBegan(aside.Value, aside.Key).ToBytes()),
    ]);

    // A finished file takes two records of 41 bytes.
    private void Expect(long bytes) => _done.Reserve((int)Math.Min(bytes / 82, MostExpected));

    // False: the record makes no sense, and neither do the records behind.
    private bool Read(ReadOnlyMemory<byte> bytes)
    {
        var record = JournalRecord.Parse(bytes);
        if (_job is null && record is not JournalRecord.RunBegan) return false;
        switch (record)
        {
            case JournalRecord.RunBegan run:
                _job ??= run.Job;
                if (run.Job != _job) return false;
                _runs.Add(run.Names);
                return true;
            case JournalRecord.FileStarted taken:
                _taken[taken.Name] = taken.Stamp;
                return true;
            case JournalRecord.FileBegan file:
                if (_partial.Remove(NameKey.Of(file.Name), out var before) && MayDelete(before.Temporary)) _left.Add(before.Temporary);
                _partial[NameKey.Of(file.Name)] = new PartialFile
                {
                    Temporary = file.Temporary,
                    Stamp = file.Stamp,
                    IsDivided = file.IsDivided
                };
                return true;
            case JournalRecord.RangeArrived range:
                if (_partial.TryGetValue(NameKey.Of(range.Name), out var partial)) partial.Ranges.Add(range);
                return true;
            case JournalRecord.FileDone done:
                _taken.Remove(done.Name);
                // The temporary file has become the file.
                _partial.Remove(done.Name);
                _done.Add(done.Name, done.Stamp);
                return true;
            case JournalRecord.LeftoverFile left:
                _left.Add(left.Temporary);
                return true;
            case JournalRecord.FileKept stays:
                _left.Remove(stays.Temporary);
                _kept[stays.Temporary] = stays.Path;
                return true;
            case JournalRecord.FileKeptEnded ended:
                _kept.TryRemove(ended.Temporary, out _);
                return true;
            case JournalRecord.AsideBegan began:
                _asides[began.Aside] = began.Path;
                return true;
            case JournalRecord.AsideEnded ended:
                _asides.TryRemove(ended.Aside, out _);
                return true;
            default:
                return false;
        }
    }
}
