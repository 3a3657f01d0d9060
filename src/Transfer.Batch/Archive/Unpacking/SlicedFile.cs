using System.Buffers.Binary;
using Microsoft.Win32.SafeHandles;
using Transfer.Local;
using Transfer.Modes;

namespace Transfer.Batch.Archive.Unpacking;

/// <summary>
/// A file that arrives in slices, in any order and over several lanes at once: under a temporary name until it has all of them. Which it has stands
/// behind its end as pairs of 64-bit numbers, offset and length, so that a receiver that is started anew goes on with it. Thread-safe.
/// </summary>
internal sealed class SlicedFile
{
    private const int RecordLength = 2 * sizeof(long);

    private readonly Lock _gate = new();
    private readonly ByteRanges _ranges = new();
    private long _records;
    private bool _exists; // it was made, by this process or an earlier one

    /// <param name="path">Its path in the job.</param>
    /// <param name="length">Its length when it is whole.</param>
    /// <param name="target">What it is to be called here.</param>
    /// <param name="temporary">What it is called until then.</param>
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

    /// <summary>Why it is not written, or could not be; null: it is.</summary>
    public TransferException? Error { get; set; }

    /// <summary>What had come of it is gone.</summary>
    public bool IsLost { get; set; }

    /// <summary>What is there stays as it is.</summary>
    public bool IsSkipped { get; init; }

    /// <summary>That has the length and the time of what was sent.</summary>
    public bool IsAlike { get; init; }

    /// <summary>It is there already, put by this job: its slices are only counted.</summary>
    public bool IsOwned { get; init; }

    /// <summary>What is there may be replaced.</summary>
    public bool Replace { get; init; }

    /// <summary>Its number in the job. A file that is sent again has a higher one.</summary>
    public long Number { get; init; }

    /// <summary>It was sent again, in slices or whole, and has come so: what is left of it here is of no use.</summary>
    public bool IsSuperseded { get; private set; }

    /// <summary>It has its name.</summary>
    public bool IsPublished { get; private set; }

    /// <summary>Reads which slices an earlier process has received.</summary>
    public void Recall()
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

    /// <summary>Opens it for a slice. It is made by the first; when it is missing later, that is an error, and not a file with holes.</summary>
    public SafeFileHandle Open()
    {
        lock (_gate)
        {
            // Never through a link that somebody made of its name.
            if (LocalLinks.IsLink(Temporary)) throw new TransferException(TransferError.Denied, $"{Temporary} is a link: nothing is written through it.");
            var handle = DiskFiles.Open(Temporary, _exists ? FileMode.Open : FileMode.OpenOrCreate, FileAccess.ReadWrite, FileShare.ReadWrite | FileShare.Delete, permissions: FinalMode.Unfinished);
            _exists = true;
            return handle;
        }
    }

    /// <summary>It has come in another way; true: slices of it are there, and nobody needs them.</summary>
    public bool TrySupersede()
    {
        lock (_gate)
        {
            if (IsPublished || IsSkipped || IsOwned || IsSuperseded || Error is not null) return false;
            return IsSuperseded = true;
        }
    }

    /// <summary>A slice is here already: it was recorded before whoever sent it knew that it is.</summary>
    public bool Has(long offset, long count)
    {
        lock (_gate) return _ranges.Contains(offset, offset + count);
    }

    /// <summary>A slice of what is there already was sent once more. True: it was the last.</summary>
    public bool Own(long offset, long count)
    {
        lock (_gate)
        {
            if (IsPublished) return false;
            _ranges.Add(offset, offset + count);
            return IsPublished = _ranges.Count == Length;
        }
    }

    /// <summary>A slice is on the disk. True: it was the last that was missing, and the file is now to be given its name.</summary>
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
