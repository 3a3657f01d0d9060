using Microsoft.Win32.SafeHandles;
using Transfer.Local;

namespace Transfer.Batch.Carriers.Spool.Versions;

/// <summary>
/// Writes a sender's record of a job, as files get into the store. A failure to write does not fail the job: the record is then not whole.
/// Thread-safe.
/// </summary>
internal sealed class SentVersionWriter : IDisposable
{
    private const long MostBytes = 256 << 20;

    private readonly Lock _gate = new();
    private readonly SafeFileHandle _file;
    private readonly string _path;
    private long _end;
    private int _files;
    private bool _isPartial;

    private SentVersionWriter(SafeFileHandle file, string path)
    {
        _file = file;
        _path = path;
    }

    /// <summary>Whether the record holds files, which later jobs build on or must not build on.</summary>
    public bool HasFiles
    {
        get { lock (_gate) return _files > 0 || _isPartial; }
    }

    /// <summary>Creates a record; null: writing failed.</summary>
    public static SentVersionWriter? Create(string path, VersionHead head)
    {
        SafeFileHandle? file = null;
        try
        {
            file = DiskFiles.Open(path, FileMode.Create, FileAccess.Write, FileShare.Read | FileShare.Delete);
            var writer = new SentVersionWriter(file, path);
            DiskFiles.Write(file, [.. VersionRecord.Mark, .. head.ToBytes()], 0, path);
            writer._end = RandomAccess.GetLength(file);
            return writer;
        }
        catch (Exception e) when (LocalErrors.IsLocal(e))
        {
            file?.Dispose();
            return null;
        }
    }

    /// <summary>Adds the facts about a file.</summary>
    /// <param name="record">The facts.</param>
    /// <param name="entries">The hashes of the file's blocks.</param>
    public void Add(VersionRecord record, ReadOnlySpan<byte> entries)
    {
        lock (_gate)
        {
            if (_isPartial) return;
            var front = record.ToBytes();
            // More is not kept, and files that are not kept travel whole.
            _isPartial = _files >= SentVersion.MostFiles || _end + front.Length + entries.Length > MostBytes;
            if (_isPartial) return;
            try
            {
                // The hashes first, so that existing fields always have their hashes.
                if (!entries.IsEmpty) DiskFiles.Write(_file, entries, _end + front.Length, _path);
                DiskFiles.Write(_file, front, _end, _path);
                _end += front.Length + entries.Length;
                _files++;
            }
            catch (Exception e) when (LocalErrors.IsLocal(e))
            {
                _isPartial = true;
            }
        }
    }

    /// <summary>Adds a sent file without known content.</summary>
    public void AddVoid(string path) => Add(new VersionRecord { Kind = VersionRecordKind.Void, Path = path }, []);

    /// <summary>Completes the record, once all files of the job were added, and flushes the file.</summary>
    public void Complete()
    {
        Add(new VersionRecord { Kind = VersionRecordKind.Whole }, []);
        lock (_gate)
        {
            try
            {
                Disk.FlushFile(_file, _path);
            }
            catch (Exception e) when (LocalErrors.IsLocal(e))
            {
                // The records written so far count.
            }
        }
    }

    public void Dispose() => _file.Dispose();
}
