using System.Buffers;
using System.Buffers.Binary;
using System.Numerics;
using Microsoft.Win32.SafeHandles;
using Transfer.Local;

namespace Transfer.Engine.Journal;

/// <summary>
/// A file of records that are only appended, each with its length and its CRC-32C (both 32 bits, little-endian). Whatever a crash
/// or a worn disk left of the last one ends the reading, and is overwritten by the next. In front of all is a mark, so that nothing
/// but a journal is ever taken for one. Thread-safe.
/// </summary>
internal sealed class JournalFile : IDisposable
{
    private const int FrontLength = 8;

    /// <summary>Most bytes of a record. Paths are what is long in most.</summary>
    public const int MostLength = 1 << 20;

    private static readonly byte[] Mark = "transfer journal 1\n"u8.ToArray();

    private readonly Lock _gate = new();
    private readonly LockedFile _locked;
    private readonly string _path;
    private long _end;
    private long _writes;
    private long _flushed; // so many of them

    private JournalFile(string path, LockedFile locked)
    {
        _path = path;
        _locked = locked;
    }

    private SafeFileHandle Handle => _locked.Handle;

    /// <summary>Opens a journal, which nobody else may have open, or begins one; gives what it holds to <paramref name="read"/>, in order.</summary>
    /// <param name="path">The file; its folder is made if need be.</param>
    /// <param name="read">Gets each record; false: it makes no sense, and neither does what follows it.</param>
    /// <param name="begins">Told before that how many bytes there are to read.</param>
    /// <exception cref="IOException">Somebody else has it open, or it cannot be opened.</exception>
    public static JournalFile Open(string path, Func<ReadOnlyMemory<byte>, bool> read, Action<long>? begins = null)
    {
        path = LocalPath.Full(path);
        DiskFolders.Create(Path.GetDirectoryName(path)!);
        var locked = LockedFile.Open(path);
        var journal = new JournalFile(path, locked);
        try
        {
            journal.ReadAll(read, begins);
            return journal;
        }
        catch
        {
            locked.Dispose();
            throw;
        }
    }

    /// <summary>Forgets everything that was written.</summary>
    public void Clear() => Rewrite([]);

    /// <summary>Holds these records instead of what was written: whoever is killed meanwhile leaves the old ones or these, and never none.</summary>
    public void Rewrite(IEnumerable<byte[]> records)
    {
        var bytes = Framed(records);
        lock (_gate)
        {
            // What was longer ends within one of its records: that is not read.
            DiskFiles.Write(Handle, bytes, Mark.Length, _path);
            _end = Mark.Length + bytes.Length;
            DiskFiles.SetLength(Handle, _end, _path);
            _writes++;
        }
    }

    /// <summary>
    /// Adds a record. From then on it is there whatever becomes of this process. A power cut may take the last ones: then what they told of is moved again.
    /// </summary>
    /// <exception cref="IOException">It can't be written, or is longer than what is read back.</exception>
    public void Append(ReadOnlySpan<byte> record) => Add(Framed(record));

    /// <summary>Adds several, in one write: what breaks it off leaves the first ones, or none.</summary>
    /// <exception cref="IOException">They can't be written, or one is longer than what is read back.</exception>
    public void Append(IEnumerable<byte[]> records) => Add(Framed(records));

    /// <summary>Everything that was added is there after a power cut too.</summary>
    public bool IsFlushed
    {
        get { lock (_gate) return _flushed == _writes; }
    }

    /// <summary>What was added so far is there after a power cut too. Nobody who adds more waits for it.</summary>
    public void Flush()
    {
        long writes;
        lock (_gate) writes = _writes;
        Disk.FlushFile(Handle, _path);
        lock (_gate) _flushed = Math.Max(_flushed, writes);
    }

    /// <summary>There is nothing left to remember. It is closed in any case.</summary>
    /// <exception cref="IOException">The file stays.</exception>
    /// <exception cref="UnauthorizedAccessException">The file stays.</exception>
    public void Delete()
    {
        // While it is still locked, where open files can be deleted: nobody else must have begun with it.
        try
        {
            if (!OperatingSystem.IsWindows()) DiskFiles.Delete(_path);
        }
        finally
        {
            _locked.Dispose();
        }
        if (OperatingSystem.IsWindows()) DiskFiles.Delete(_path);
    }

    public void Dispose() => _locked.Dispose();

    private void Add(ReadOnlySpan<byte> bytes)
    {
        lock (_gate)
        {
            DiskFiles.Write(Handle, bytes, _end, _path);
            _end += bytes.Length;
            _writes++;
        }
    }

    private static byte[] Framed(ReadOnlySpan<byte> record)
    {
        if (record.Length > MostLength) throw new IOException($"A record of a journal has {MostLength} bytes at most.");
        var bytes = new byte[FrontLength + record.Length];
        BinaryPrimitives.WriteInt32LittleEndian(bytes, record.Length);
        BinaryPrimitives.WriteUInt32LittleEndian(bytes.AsSpan(4), Checksum(record));
        record.CopyTo(bytes.AsSpan(FrontLength));
        return bytes;
    }

    private static ReadOnlySpan<byte> Framed(IEnumerable<byte[]> records)
    {
        var bytes = new ArrayBufferWriter<byte>();
        foreach (var record in records) bytes.Write(Framed(record));
        return bytes.WrittenSpan;
    }

    private void ReadAll(Func<ReadOnlyMemory<byte>, bool> read, Action<long>? begins)
    {
        using var stream = new BufferedStream(new DiskStream(new SafeFileHandle(Handle.DangerousGetHandle(), ownsHandle: false), FileAccess.Read, _path), 64 << 10);
        var mark = new byte[Mark.Length];
        var length = stream.ReadAtLeast(mark, mark.Length, throwOnEndOfStream: false);
        if (!Mark.AsSpan().StartsWith(mark.AsSpan(0, length))) throw new IOException("It is no journal of a job.");
        if (length < Mark.Length) DiskFiles.Write(Handle, Mark, 0, _path);
        _end = Mark.Length;
        begins?.Invoke(RandomAccess.GetLength(Handle));
        ReadRecords(stream, read);
        DiskFiles.SetLength(Handle, _end, _path);
    }

    private void ReadRecords(BufferedStream stream, Func<ReadOnlyMemory<byte>, bool> read)
    {
        var front = new byte[FrontLength];
        while (stream.ReadAtLeast(front, FrontLength, throwOnEndOfStream: false) == FrontLength)
        {
            var length = BinaryPrimitives.ReadInt32LittleEndian(front);
            if (length is < 0 or > MostLength) break;
            var record = new byte[length];
            if (stream.ReadAtLeast(record, length, throwOnEndOfStream: false) < length) break;
            if (Checksum(record) != BinaryPrimitives.ReadUInt32LittleEndian(front.AsSpan(4)) || !read(record)) break;
            _end += FrontLength + length;
        }
    }

    /// <summary>CRC-32C (RFC 3720 appendix B.4): the processor computes it.</summary>
    internal static uint Checksum(ReadOnlySpan<byte> record)
    {
        var crc = ~0u;
        while (record.Length >= 8)
        {
            crc = BitOperations.Crc32C(crc, BinaryPrimitives.ReadUInt64LittleEndian(record));
            record = record[8..];
        }
        foreach (var one in record) crc = BitOperations.Crc32C(crc, one);
        return ~crc;
    }
}
