using System.Buffers;
using System.Buffers.Binary;
using System.Numerics;
using Microsoft.Win32.SafeHandles;
using Transfer.Local;

namespace Transfer.Companions;

/// <summary>
/// A local file of records that are only appended, each with its length and its CRC-32C (both 32 bits, little-endian). A record that a
/// crash or a worn disk damaged ends the reading, and is overwritten by the next. A mark at the start keeps other files from being taken
/// for a journal. Thread-safe.
/// </summary>
public sealed class JournalFile : IDisposable
{
    private const int FrontLength = 8;

    /// <summary>The most bytes of a record.</summary>
    public const int MostLength = 1 << 20;

    private static readonly byte[] Mark = "transfer journal 1\n"u8.ToArray();

    private readonly Lock _gate = new();
    private readonly LockedFile _locked;
    private readonly string _path;
    private long _end;
    private long _writes;
    private long _flushed; // the number of writes before the last flush

    private JournalFile(string path, LockedFile locked)
    {
        _path = path;
        _locked = locked;
    }

    private SafeFileHandle Handle => _locked.Handle;

    /// <summary>Opens a journal, which stays locked until closed, or begins one; passes the records to <paramref name="read"/>, in
    /// order.</summary>
    /// <param name="path">The file; a missing directory is created.</param>
    /// <param name="read">Takes a record; false: the record makes no sense, and the reading ends.</param>
    /// <param name="begins">Receives the number of bytes before they are read; null: not wanted.</param>
    /// <exception cref="IOException">Another run has the file open (<see cref="LockedFile.IsTaken"/>), or the file cannot be
    /// opened.</exception>
    public static JournalFile Open(string path, Func<ReadOnlyMemory<byte>, bool> read, Action<long>? begins = null)
    {
        path = LocalPath.Full(path);
        DiskDirectories.Create(Path.GetDirectoryName(path)!);
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

    /// <summary>Deletes all records.</summary>
    public void Clear() => Rewrite([]);

    /// <summary>Puts records in the place of all others. A process that is killed meanwhile leaves the old records or these, and never
    /// none.</summary>
    public void Rewrite(IEnumerable<byte[]> records)
    {
        var bytes = Framed(records);
        lock (_gate)
        {
            // The rest of a longer old text begins within a record, which is not read.
            DiskFiles.Write(Handle, bytes, Mark.Length, _path);
            _end = Mark.Length + bytes.Length;
            DiskFiles.SetLength(Handle, _end, _path);
            _writes++;
        }
    }

    /// <summary>
    /// Adds a record, which outlives this process from then on. A power cut may take records that were not flushed.
    /// </summary>
    /// <exception cref="IOException">The record can't be written, or is longer than <see cref="MostLength"/>.</exception>
    public void Append(ReadOnlySpan<byte> record) => Add(Framed(record));

    /// <summary>Adds several records in one write: a crash leaves the first ones, or none.</summary>
    /// <exception cref="IOException">The records can't be written, or one is longer than <see cref="MostLength"/>.</exception>
    public void Append(IEnumerable<byte[]> records) => Add(Framed(records));

    /// <summary>Whether all records written are on the disk.</summary>
    internal bool IsFlushed
    {
        get { lock (_gate) return _flushed == _writes; }
    }

    /// <summary>Brings the records written so far to the disk. Writers do not wait for that.</summary>
    public void Flush()
    {
        long writes;
        lock (_gate) writes = _writes;
        Disk.FlushFile(Handle, _path);
        lock (_gate) _flushed = Math.Max(_flushed, writes);
    }

    /// <summary>Deletes the file, which is closed in any case.</summary>
    /// <exception cref="IOException">The file stays.</exception>
    /// <exception cref="UnauthorizedAccessException">The file stays.</exception>
    public void Delete()
    {
        // Deleted under the lock, where open files can be deleted: no other run must have begun to use the file.
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

    /// <summary>Closes and unlocks the file.</summary>
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
        using var stream = new BufferedStream(
            new DiskStream(new SafeFileHandle(Handle.DangerousGetHandle(), ownsHandle: false), FileAccess.Read, _path), 64 << 10);
        var mark = new byte[Mark.Length];
        var length = stream.ReadAtLeast(mark, mark.Length, throwOnEndOfStream: false);
        if (!Mark.AsSpan().StartsWith(mark.AsSpan(0, length))) throw new IOException("The file is no journal of a job.");
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

    /// <summary>The checksum of records: CRC-32C (RFC 3720 appendix B.4), which the processor computes.</summary>
    public static uint Checksum(ReadOnlySpan<byte> record)
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
