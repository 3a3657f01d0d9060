using Transfer.Batch.Sealing;
using Transfer.Local;

namespace Transfer.Batch.Archive.Unpacking;

/// <summary>The state that all archives of a job share when unpacked.</summary>
internal sealed class UnpackTarget : IDisposable
{
    private readonly Lock _gate = new();
    private readonly Dictionary<long, SlicedFile> _sliced = [];
    private readonly Dictionary<string, List<SlicedFile>> _slicedPaths = [];
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

    public TemporaryNames TemporaryNames { get; init; } = new();

    /// <summary>How files are made and published.</summary>
    public LocalNewFileOptions NewFiles => field ??= new()
    {
        Names = TemporaryNames,
        Places = Options.Places,
        PreserveMode = Options.PreserveMode,
        Secure = Flush.Secure,
        Logger = Options.Logger,
    };

    /// <summary>Flushes written files to the disk.</summary>
    public DiskFlush Flush { get; }

    /// <summary>The <see cref="TemporaryNames.Run"/> of files that arrive in slices.</summary>
    public string SlicedRun => TemporaryNames.RunOf(_job);

    /// <summary>Files that arrive in slices.</summary>
    public IReadOnlyList<SlicedFile> Sliced
    {
        get { lock (_gate) return [.. _sliced.Values]; }
    }

    /// <summary>Returns the file with a number in the job, created by the first slice.</summary>
    public SlicedFile GetSliced(long number, Func<string, SlicedFile> make)
    {
        lock (_gate)
        {
            if (_sliced.TryGetValue(number, out var known)) return known;
            // The name is the same for every receiver of the rest of the job.
            var file = make(TemporaryNames.Of(_job, number));
            _sliced.Add(number, file);
            if (_slicedPaths.TryGetValue(file.Path, out var sent)) sent.Add(file);
            else _slicedPaths.Add(file.Path, [file]);
            return file;
        }
    }

    /// <summary>Records that a file is published. Slices of the same file with a lower number were sent before the source
    /// changed.</summary>
    public void Supersede(string path, long number)
    {
        lock (_gate)
        {
            if (!_slicedPaths.TryGetValue(path, out var sent)) return;
            foreach (var file in sent)
            {
                if (file.Number < number && file.TrySupersede()) DiskFiles.Discard(file.Temporary, Options.Logger);
            }
        }
    }

    public void Dispose() => Flush.Dispose();
}
