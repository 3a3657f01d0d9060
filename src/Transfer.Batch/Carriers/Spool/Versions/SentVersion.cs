using System.Buffers.Binary;
using System.Runtime.InteropServices;
using System.Security.Cryptography;
using Microsoft.Win32.SafeHandles;
using Transfer.Batch.Archive.Delta;
using Transfer.Local;

namespace Transfer.Batch.Carriers.Spool.Versions;

/// <summary>
/// A sender's record of a job's files, read file by file: only the positions are in memory. Damaged or cut-off parts count as not written.
/// Thread-safe.
/// </summary>
internal sealed class SentVersion : IDisposable
{
    /// <summary>The most files of a job that are recorded.</summary>
    public const int MostFiles = 200_000;

    // As much as most records' fields.
    private const int Step = 512;

    private readonly Dictionary<UInt128, long> _places = [];
    private readonly VersionHead? _head;
    private readonly SafeFileHandle? _file;

    private SentVersion(VersionName name, SafeFileHandle? file, int mostFiles)
    {
        Name = name;
        _file = file;
        if (file is null) return;
        var length = RandomAccess.GetLength(file);
        var mark = new byte[VersionRecord.Mark.Length];
        if (RandomAccess.Read(file, mark, 0) < mark.Length || !VersionRecord.Mark.SequenceEqual(mark)) return;
        End = mark.Length;
        if (ReadFields(End, length, out var next) is not { } fields || VersionHead.Parse(name, fields) is not { } head) return;
        _head = head;
        HeadEnd = End = next;
        var isCut = false;
        while (ReadRecord(End, length, out next) is { } record)
        {
            // Beyond the limit too: a void record makes known files unknown.
            if (record.Kind == VersionRecordKind.Whole) IsWhole = true;
            else if (KeyOf(record.Path) is var key && (_places.Count < mostFiles || _places.ContainsKey(key))) _places[key] = End;
            else isCut = true;
            End = next;
        }
        IsWhole &= End == length && !isCut;
    }

    public VersionName Name { get; }

    /// <summary>Whether all files that the job has sent are recorded, as known or unknown.</summary>
    public bool IsWhole { get; private set; }

    /// <summary>Whether the record of an earlier, interrupted job has the rest.</summary>
    public bool Continues => _head is { Continues: true };

    /// <summary>The position behind the head; 0: there is none.</summary>
    public long HeadEnd { get; }

    /// <summary>The position behind the last valid record.</summary>
    public long End { get; private set; }

    /// <summary>Opens a record. An unreadable one knows no files, and is not whole.</summary>
    /// <param name="path">The path of the record.</param>
    /// <param name="name">The parsed name of the record.</param>
    /// <param name="mostFiles">The most files kept in memory.</param>
    public static SentVersion Open(string path, VersionName name, int mostFiles = MostFiles)
    {
        SafeFileHandle? file = null;
        try
        {
            file = DiskFiles.Open(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete, FileOptions.RandomAccess);
            return new SentVersion(name, file, mostFiles);
        }
        catch (Exception e) when (LocalErrors.IsLocal(e))
        {
            file?.Dispose();
            return new SentVersion(name, null, mostFiles);
        }
    }

    /// <summary>Some of these have, or may have, got the job.</summary>
    public bool Concerns(IReadOnlySet<string> to) => _head is null || _head.To.Overlaps(to);

    /// <summary>Whether the job was for exactly these recipients, through this spool.</summary>
    public bool IsFor(IReadOnlySet<string> to, string place) => _head is not null && _head.Place == place && _head.To.SetEquals(to);

    /// <summary>Whether this record has newer facts, for the same recipients, about every file of an older one.</summary>
    public bool Covers(SentVersion older) =>
        older is { IsWhole: true, _head: { } head } && IsFor(head.To, head.Place) && older._places.Keys.All(_places.ContainsKey);

    /// <summary>Whether the job has sent a file of this name.</summary>
    public bool Has(string path) => _places.ContainsKey(KeyOf(path));

    /// <summary>Returns the file that the job has sent under a name; null: none, or unreadable now.</summary>
    public VersionRecord? Find(string path)
    {
        if (!_places.TryGetValue(KeyOf(path), out var place)) return null;
        try
        {
            return ReadRecord(place, long.MaxValue, out _) is { } record && record.Path == path
                ? record : new VersionRecord { Kind = VersionRecordKind.Void, Path = path };
        }
        catch (Exception e) when (LocalErrors.IsLocal(e))
        {
            return new VersionRecord { Kind = VersionRecordKind.Void, Path = path };
        }
    }

    /// <summary>Reads the hashes of a file's blocks; null: they have changed since written.</summary>
    public BaseSignature? Read(VersionRecord file)
    {
        try
        {
            var shape = BlockShape.ForOwn(file.Length);
            if (file.Kind != VersionRecordKind.File || !_places.TryGetValue(KeyOf(file.Path), out var place)) return null;
            if (!shape.IsValid || shape.SignatureLength != file.Entries || ReadFields(place, long.MaxValue, out var at) is null)
                return null;
            var entries = new byte[file.Entries];
            if (RandomAccess.Read(_file!, entries, at) < entries.Length || JournalFile.Checksum(entries) != file.Checksum) return null;
            var signature = new BaseSignature(shape) { Hash = file.Hash };
            signature.Add(entries);
            return signature;
        }
        catch (Exception e) when (LocalErrors.IsLocal(e))
        {
            return null;
        }
    }

    public void Dispose() => _file?.Dispose();

    private VersionRecord? ReadRecord(long at, long length, out long next)
    {
        if (ReadFields(at, length, out next) is not { } fields || VersionRecord.Parse(fields) is not { } record) return null;
        next += record.Entries;
        return next <= length ? record : null;
    }

    private byte[]? ReadFields(long at, long length, out long next)
    {
        next = at;
        var bytes = new byte[Step];
        var read = RandomAccess.Read(_file!, bytes, at);
        if (read < VersionRecord.FrontLength) return null;
        var count = BinaryPrimitives.ReadInt32LittleEndian(bytes);
        next = at + VersionRecord.FrontLength + count;
        if (count is <= 0 or > VersionRecord.MostFields || next > length) return null;
        var fields = new byte[count];
        var here = Math.Min(count, read - VersionRecord.FrontLength);
        bytes.AsSpan(VersionRecord.FrontLength, here).CopyTo(fields);
        if (here < count && RandomAccess.Read(_file!, fields.AsSpan(here), at + VersionRecord.FrontLength + here) < count - here)
            return null;
        return JournalFile.Checksum(fields) == BinaryPrimitives.ReadUInt32LittleEndian(bytes.AsSpan(4)) ? fields : null;
    }

    // 128 bits of the SHA-256 of a path: many files are remembered in little memory.
    private static UInt128 KeyOf(string path) =>
        BinaryPrimitives.ReadUInt128LittleEndian(SHA256.HashData(MemoryMarshal.AsBytes(path.AsSpan())));
}
