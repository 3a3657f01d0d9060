using Microsoft.Extensions.Logging;
using Transfer.Batch.Carriers.Spool.Records;
using Transfer.Batch.Sealing;
using Transfer.Batch.Wire;
using Transfer.Local;

namespace Transfer.Batch.Carriers.Spool.Sending;

/// <summary>
/// What a sender has put into a spool, on disk as it goes: if it is broken off, its next run takes that back, or says that it is all. Thread-safe but for what is read at the beginning.
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

    /// <summary>The job that an earlier run has begun and not ended; null: there is none.</summary>
    public JobId? Job { get; private set; }

    /// <summary>Its end was stored: recipients can have all of it, and may have deleted it.</summary>
    public bool HasEnd { get; private set; }

    /// <summary>Its archives in the store, with their SHA-256.</summary>
    public IReadOnlyDictionary<long, byte[]> Archives => _archives;

    /// <exception cref="TransferException">Another run has it open, or it can't be written.</exception>
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

    /// <summary>A job begins; what was known of another is forgotten. It is on the disk then.</summary>
    public void Begin(JobId job)
    {
        Write(() =>
        {
            _file.Clear();
            _archives.Clear();
            _file.Append(new RecordWriter().Byte(JobKind).Job(job).ToArray());
        });
    }

    /// <summary>An archive is in the store. That is on the disk before its files count as sent: a run that goes on would neither tell of them nor send them.</summary>
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

    /// <summary>The job is being deleted, and nothing can continue it. That is on the disk before anything of it is gone.</summary>
    public void TakeBack()
    {
        Write(() =>
        {
            _archives.Clear();
            _file.Rewrite([new RecordWriter().Byte(JobKind).Job(Job!.Value).ToArray()]);
        });
    }

    /// <summary>Where a lane's archive may be put until it is stored. A run that was killed leaves it to the next.</summary>
    public string ScratchOf(int lane) => FormattableString.Invariant($"{_path}.{lane}");

    /// <summary>The end of the job with these archives.</summary>
    /// <param name="head">SHA-256 of its head.</param>
    /// <param name="isBrokenOff">Another job brings the rest.</param>
    /// <param name="isAwaited">Its confirmations are to be read.</param>
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
            return new SpoolEnd { Head = head, Archives = count, Void = missing, Digest = SpoolEnd.DigestOf(_archives.Values), IsBrokenOff = isBrokenOff, IsAwaited = isAwaited };
        }
    }

    /// <summary>Nothing is left to be done. If the file stays, the next run finds that the job has ended.</summary>
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

    // What is written is on the disk when this returns.
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
