using System.Buffers.Binary;
using Microsoft.Win32.SafeHandles;
using Transfer.Local;
using Transfer.Modes;

namespace Transfer.Batch.Archive.Unpacking;

/// <summary>
/// A file that arrives in slices, in any order and over several lanes at once: under a temporary name until complete. The received slices
/// are recorded behind the file's end as pairs of 64-bit numbers, offset and length, so that a restarted receiver goes on with the file.
/// Thread-safe.
/// </summary>
internal sealed class SlicedFile
{
    private const int RecordLength = 2 * sizeof(long);

    private readonly Lock _gate = new();
    private readonly ByteRanges _ranges = new();
    private long _records;
    private bool _exists; // created, by this process or an earlier one

    /// <param name="path">The file's path in the job.</param>
    /// <param name="length">The length of the complete file.</param>
    /// <param name="target">The final path here.</param>
    /// <param name="temporary">The path until complete.</param>
    public SlicedFile(string path, long length, string target, string temporary)
    {
        Path = path;
        Length = length;
        Target = target;
        Temporary = temporary;
    }

    public string Path { get; }

    public long Length { get; }

    public string Target { get; }

    public string Temporary { get; }

    /// <summary>Why the file is not or could not be written; null: no error.</summary>
    public TransferException? Error { get; set; }

    /// <summary>Whether received slices are gone.</summary>
    public bool IsLost { get; set; }

    /// <summary>Whether the existing file stays, and the slices are skipped.</summary>
    public bool IsSkipped { get; init; }

    /// <summary>Whether the skipped file has the length and the time of the sent one.</summary>
    public bool IsAlike { get; init; }

    /// <summary>Whether the file exists already, published by this job: the slices are only counted.</summary>
    public bool IsPublishedBefore { get; init; }

    /// <summary>Whether an existing file may be replaced.</summary>
    public bool Replace { get; init; }

    /// <summary>The file's number in the job. A file that is sent again has a higher number.</summary>
    public long Number { get; init; }

    /// <summary>Whether the file was sent again, in slices or whole, and has arrived: the remains here are useless.</summary>
    public bool IsSuperseded { get; private set; }

    /// <summary>Whether the file has its final name.</summary>
    public bool IsPublished { get; private set; }

    /// <summary>Reads which slices an earlier process has received.</summary>
    public void ReadRecord()
    {
        if (!DiskFiles.Exists(Temporary)) return;
        _exists = true;
        using var handle = Open();
        LocalModes.Close(handle, Temporary);
        var record = new byte[RecordLength];
        for (; RandomAccess.Read(handle, record, Length + _records * RecordLength) == RecordLength; _records++)
        {
            var offset = BinaryPrimitives.ReadInt64BigEndian(record);
            var count = BinaryPrimitives.ReadInt64BigEndian(record.AsSpan(sizeof(long)));
            if (offset >= 0 && count > 0 && offset <= Length - count) _ranges.Add(offset, offset + count);
        }
    }

    /// <summary>Opens the file for a slice. The first slice creates the file; a missing file later is an error, not a file with
    /// holes.</summary>
    public SafeFileHandle Open()
    {
        lock (_gate)
        {
            // Never through a link that another user put in the name's place.
            if (LocalLinks.IsLink(Temporary))
                throw new TransferException(TransferError.Denied, $"{Temporary} is a link: nothing is written through it.");
            var handle = DiskFiles.Open(Temporary, _exists ? FileMode.Open : FileMode.OpenOrCreate, FileAccess.ReadWrite,
                FileShare.ReadWrite | FileShare.Delete, permissions: FinalMode.Unfinished);
            _exists = true;
            return handle;
        }
    }

    /// <summary>Marks the file as arrived in another way; true: slices of it exist, and are useless.</summary>
    public bool TrySupersede()
    {
        lock (_gate)
        {
            if (IsPublished || IsSkipped || IsPublishedBefore || IsSuperseded || Error is not null) return false;
            return IsSuperseded = true;
        }
    }

    /// <summary>Whether a slice is here already: slices are recorded before the sender gets their receipt.</summary>
    public bool Has(long offset, long count)
    {
        lock (_gate) return _ranges.Contains(offset, offset + count);
    }

    /// <summary>Counts a repeated slice of an existing file. True: the last one.</summary>
    public bool CountRepeated(long offset, long count)
    {
        lock (_gate)
        {
            if (IsPublished) return false;
            _ranges.Add(offset, offset + count);
            return IsPublished = _ranges.Count == Length;
        }
    }

    /// <summary>Adds a slice that is on the disk. True: the last missing one, so that the file can be published.</summary>
    public bool Add(long offset, long count)
    {
        lock (_gate)
        {
            if (IsPublished || IsSuperseded || Error is not null) return false;
            if (!_ranges.Contains(offset, offset + count)) Record(offset, count);
            return IsPublished = _ranges.Count == Length;
        }
    }

    // Called under the lock.
    private void Record(long offset, long count)
    {
        var record = new byte[RecordLength];
        BinaryPrimitives.WriteInt64BigEndian(record, offset);
        BinaryPrimitives.WriteInt64BigEndian(record.AsSpan(sizeof(long)), count);
        using var handle = Open();
        ReceivedFile.Write(handle, record, Length + _records++ * RecordLength, Temporary);
        _ranges.Add(offset, offset + count);
    }
}
