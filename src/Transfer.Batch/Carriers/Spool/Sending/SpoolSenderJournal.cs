using Microsoft.Extensions.Logging;
using Transfer.Batch.Carriers.Spool.Records;
using Transfer.Batch.Sealing;
using Transfer.Batch.Wire;
using Transfer.Local;

namespace Transfer.Batch.Carriers.Spool.Sending;

/// <summary>
/// A sender's record of the files put into a spool, on disk during the job: the next run after an interruption deletes them, or declares
/// the job complete. Thread-safe except for the values read at the beginning.
/// </summary>
internal sealed class SpoolSenderJournal : IDisposable
{
    private const byte JobKind = 1;
    private const byte ArchiveKind = 2;
    private const byte EndKind = 3;

    private readonly Lock _gate = new();
    private readonly SortedDictionary<long, byte[]> _archives = [];
    private readonly JournalFile _file;
    private readonly string _path;

    private SpoolSenderJournal(string path)
    {
        _path = path;
        _file = JournalFile.Open(path, Read);
    }

    /// <summary>The job that an earlier run has begun and not ended; null: none.</summary>
    public JobId? Job { get; private set; }

    /// <summary>Whether the job's end was stored: recipients may have the whole job, and may have deleted it.</summary>
    public bool HasEnd { get; private set; }

    /// <summary>The job's archives in the store, with their SHA-256.</summary>
    public IReadOnlyDictionary<long, byte[]> Archives => _archives;

    /// <exception cref="TransferException">Another run has the journal open, or writing failed.</exception>
    public static SpoolSenderJournal Open(string path)
    {
        try
        {
            return new SpoolSenderJournal(path);
        }
        catch (Exception e) when (LocalErrors.IsLocal(e))
        {
            throw LocalErrors.Map(e, "The job's journal cannot be opened (is another run of the job under way?):", path);
        }
    }

    /// <summary>Begins a job; the record of another one is dropped. On the disk when this returns.</summary>
    public void Begin(JobId job)
    {
        Write(() =>
        {
            _file.Clear();
            _archives.Clear();
            _file.Append(new RecordWriter().Byte(JobKind).Job(job).ToArray());
        });
    }

    /// <summary>Records an archive in the store. On the disk before the files count as sent: else a resumed run would neither declare nor
    /// send them.</summary>
    public void Store(long number, byte[] digest)
    {
        Write(() =>
        {
            _archives.Add(number, digest);
            _file.Append(new RecordWriter().Byte(ArchiveKind).Number(number).Bytes(digest).ToArray());
        });
    }

    /// <summary>The job's end is in the store.</summary>
    public void Ended() => Write(() => _file.Append([EndKind]));

    /// <summary>Records that the job is being deleted, and can't be resumed. On the disk before the first file is deleted.</summary>
    public void BeginDeletion()
    {
        Write(() =>
        {
            _archives.Clear();
            _file.Rewrite([new RecordWriter().Byte(JobKind).Job(Job!.Value).ToArray()]);
        });
    }

    /// <summary>Returns the path for a lane's archive until stored. A killed run leaves the file to the next.</summary>
    public string ScratchOf(int lane) => FormattableString.Invariant($"{_path}.{lane}");

    /// <summary>Returns the end of the job with these archives.</summary>
    /// <param name="head">The SHA-256 of the head.</param>
    /// <param name="isBrokenOff">Whether another job brings the rest.</param>
    /// <param name="isAwaited">Whether the sender will read the confirmations.</param>
    public SpoolEnd End(byte[] head, bool isBrokenOff, bool isAwaited)
    {
        lock (_gate)
        {
            var count = _archives.Count == 0 ? 0 : _archives.Keys.Last() + 1;
            var missing = new List<long>();
            for (long i = 0; i < count; i++)
            {
                if (!_archives.ContainsKey(i)) missing.Add(i);
            }
            return new SpoolEnd
            {
                Head = head,
                Archives = count,
                Void = missing,
                Digest = SpoolEnd.DigestOf(_archives.Values),
                IsBrokenOff = isBrokenOff,
                IsAwaited = isAwaited
            };
        }
    }

    /// <summary>Deletes the journal of a job that has ended. If the file stays, the next run finds that the job has ended.</summary>
    public void Delete(ILogger logger)
    {
        try
        {
            _file.Delete();
        }
        catch (Exception e) when (LocalErrors.IsLocal(e))
        {
            Log.SpoolJournalStays(logger, e.Message);
        }
    }

    public void Dispose() => _file.Dispose();

    // Written bytes are on the disk when this returns.
    private void Write(Action write)
    {
        try
        {
            lock (_gate)
            {
                write();
                _file.Flush();
            }
        }
        catch (Exception e) when (LocalErrors.IsLocal(e))
        {
            throw LocalErrors.Map(e, "The job's journal cannot be written:", _path);
        }
    }

    private bool Read(ReadOnlyMemory<byte> bytes)
    {
        var fields = new LinkFields(bytes.Span);
        switch (bytes.IsEmpty ? 0 : fields.Byte())
        {
            case JobKind when bytes.Length == 1 + JobId.Length:
                Job = JobId.Read(fields.Bytes(JobId.Length));
                return true;
            case ArchiveKind when bytes.Length == 1 + sizeof(long) + 32:
                _archives[fields.Number()] = fields.Bytes(32);
                return true;
            case EndKind when bytes.Length == 1:
                HasEnd = true;
                return true;
            default:
                return false;
        }
    }
}
