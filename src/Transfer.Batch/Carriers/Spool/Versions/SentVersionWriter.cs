using Microsoft.Win32.SafeHandles;
using Transfer.Local;

namespace Transfer.Batch.Carriers.Spool.Versions;

/// <summary>
/// Writes what a sender keeps of a job, as its files get into the store. That it can't be written is no error of the job: then it is not known to be whole. Thread-safe.
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

    /// <summary>It has something that is of use, or in the way, later.</summary>
    public bool HasFiles
    {
        get { lock (_gate) return _files > 0 || _isPartial; }
    }

    /// <summary>Begins one; null: it can't be written.</summary>
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

    /// <summary>Adds what is known of a file.</summary>
    /// <param name="record">What it is.</param>
    /// <param name="entries">The hashes of its blocks.</param>
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
                // The hashes first: fields that are there have what follows them.
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

    /// <summary>Adds that a file was sent of which nothing is known.</summary>
    public void AddVoid(string path) => Add(new VersionRecord { Kind = VersionRecordKind.Void, Path = path }, []);

    /// <summary>All files of the job were added; it is on the disk then.</summary>
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
                // What of it is there by then, counts.
            }
        }
    }

    public void Dispose() => _file.Dispose();
}
