using Transfer.Batch.Sealing;
using Transfer.Engine;

namespace Transfer.Batch.Archive.Unpacking;

/// <summary>What all archives of a job are unpacked with.</summary>
internal sealed class UnpackTarget : IDisposable
{
    private readonly Lock _gate = new();
    private readonly Dictionary<long, SlicedFile> _sliced = [];
    private readonly ulong _job;

    /// <param name="folders">The folders.</param>
    /// <param name="options">How.</param>
    /// <param name="job">The job.</param>
    public UnpackTarget(TargetFolders folders, BatchUnpackOptions options, JobId job)
    {
        Folders = folders;
        Options = options;
        Flush = new DiskFlush(options.Durability);
        _job = job.Short;
    }

    public TargetFolders Folders { get; }

    public BatchUnpackOptions Options { get; }

    public TemporaryNames TemporaryNames { get; } = new();

    /// <summary>Brings what was written to the disk.</summary>
    public DiskFlush Flush { get; }

    /// <summary>The <see cref="TemporaryNames.Run"/> of files that arrive in slices.</summary>
    public string SlicedRun => TemporaryNames.RunOf(_job);

    /// <summary>Files that arrive in slices.</summary>
    public IReadOnlyList<SlicedFile> Sliced
    {
        get { lock (_gate) return [.. _sliced.Values]; }
    }

    /// <summary>The file with a number in the job; made by its first slice.</summary>
    public SlicedFile GetSliced(long number, Func<string, SlicedFile> make)
    {
        lock (_gate)
        {
            // Its name is the same for whoever receives the rest of the job.
            if (!_sliced.TryGetValue(number, out var file)) _sliced.Add(number, file = make(TemporaryNames.Of(_job, number)));
            return file;
        }
    }

    public void Dispose() => Flush.Dispose();
}
