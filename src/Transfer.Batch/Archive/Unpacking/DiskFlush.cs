using System.Collections.Concurrent;
using Microsoft.Win32.SafeHandles;
using Transfer.Local;

namespace Transfer.Batch.Archive.Unpacking;

/// <summary>
/// Flushes the files of a job to the disk, as <see cref="Durability"/> demands: whole file systems, or each file and folder on its own,
/// many at once, so that one commit of a journal serves many of them. Thread-safe.
/// </summary>
internal sealed class DiskFlush : IDisposable
{
    /// <summary>
    /// The most bytes of other programs on their way to the disks for which every archive waits (<see cref="Durability.Archive"/>): a
    /// second of a hard disk.
    /// With less, flushing a whole file system is far quicker than flushing single files.
    /// </summary>
    public const long MostForeignBytes = 128 << 20;

    // The threads only wait for the disk. A disk has a queue to fill; more threads than places in the queue gain nothing.
    private const int MostThreads = 32;

    // Another archive's files keep the queue filled at an archive's end.
    private const int MostRuns = 2;

    private readonly Lock _gate = new();
    private readonly Dictionary<ulong, FileSystemSync> _fileSystems = [];
    private readonly SemaphoreSlim _runs = new(MostRuns);
    private readonly Durability _durability;
    private readonly Func<long> _measure;
    private long _own;

    /// <param name="durability">How to flush, <see cref="Durability.File"/> on a system that can't do this.</param>
    /// <param name="measure">Returns the bytes of all programs on their way to the disks.</param>
    public DiskFlush(Durability durability, Func<long>? measure = null)
    {
        _durability = durability == Durability.None || FileSystemSync.IsSupported ? durability : Durability.File;
        _measure = measure ?? DirtyPages.Measure;
    }

    /// <summary>Whether every file is flushed by its writer instead.</summary>
    public bool IsAtOnce => _durability == Durability.File && !FileSystemSync.IsSupported;

    /// <summary>How often whole file systems were flushed, and how often files.</summary>
    public (int FileSystems, int Files) Runs { get; private set; }

    /// <summary>Counts bytes that the job has written, or (negative) that are on the disk or deleted.</summary>
    public void Wrote(long bytes) => Interlocked.Add(ref _own, bytes);

    /// <summary>Flushes one file, which is about to replace a file found after the list was flushed.</summary>
    /// <exception cref="IOException">The system can't.</exception>
    public void Secure(SafeFileHandle handle, string path)
    {
        if (_durability != Durability.None) Disk.FlushFile(handle, path);
    }

    /// <summary>Flushes the files and folders of a list.</summary>
    /// <exception cref="TransferException">The system can't flush them.</exception>
    public async Task RunAsync(FlushList list)
    {
        if (_durability == Durability.None) return;
        var folders = list.Folders.ToList();
        if (folders.Count == 0) return;
        var rest = await FlushFileSystemsAsync(folders).ConfigureAwait(false);
        // On systems other than Linux files are flushed already, and Windows itself secures the entries of folders.
        var single = (FileSystemSync.IsSupported ? list.Files : [])
            .Concat(OperatingSystem.IsWindows() ? [] : folders).Where(item => rest.Contains(item.Device)).Distinct().ToList();
        if (single.Count > 0) await FlushEachAsync(single).ConfigureAwait(false);
        list.MarkFlushed();
    }

    public void Dispose()
    {
        foreach (var fileSystem in _fileSystems.Values) fileSystem.Dispose();
        _runs.Dispose();
    }

    // Gives those that are still to be done file by file.
    private async ValueTask<HashSet<ulong>> FlushFileSystemsAsync(List<(string Path, ulong Device)> folders)
    {
        var devices = folders.Select(folder => folder.Device).ToHashSet();
        if (_durability == Durability.File
            || _durability == Durability.Archive && _measure() - Interlocked.Read(ref _own) > MostForeignBytes)
        {
            return devices;
        }

        var runs = new List<Task>();
        foreach (var (path, device) in folders.DistinctBy(folder => folder.Device))
        {
            if (device == 0 || Find(device, path) is not { } fileSystem) continue;
            devices.Remove(device);
            runs.Add(fileSystem.RunAsync());
        }
        await Task.WhenAll(runs).ConfigureAwait(false);
        lock (_gate) Runs = (Runs.FileSystems + runs.Count, Runs.Files);
        return devices;
    }

    private FileSystemSync? Find(ulong device, string folder)
    {
        lock (_gate)
        {
            if (!_fileSystems.TryGetValue(device, out var known) && FileSystemSync.TryOpen(folder) is { } opened)
                _fileSystems.Add(device, known = opened);
            return known;
        }
    }

    private async ValueTask FlushEachAsync(List<(string Path, ulong Device)> items)
    {
        var left = new ConcurrentQueue<(string Path, ulong Device)>(items);
        var unfit = new ConcurrentQueue<(string Path, ulong Device)>();
        await _runs.WaitAsync().ConfigureAwait(false);
        try
        {
            var threads = Enumerable.Range(0, Math.Min(MostThreads, items.Count)).Select(_ => Task.Factory.StartNew(
                () => FlushEach(left, unfit), CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default));
            await Task.WhenAll(threads).ConfigureAwait(false);
        }
        finally
        {
            _runs.Release();
        }
        lock (_gate) Runs = (Runs.FileSystems, Runs.Files + 1);
        // A file that can't be opened, for the permissions or because another program has moved the file, is flushed with the whole file
        // system. A system without that call can do nothing.
        foreach (var folder in FileSystemSync.IsSupported
            ? unfit.Select(item => Path.GetDirectoryName(item.Path) ?? item.Path).Distinct() : [])
        {
            using var fileSystem = FileSystemSync.TryOpen(folder) ?? throw new TransferException(TransferError.Denied,
                $"Cannot make what is in {folder} safe: it can't be opened.");
            await fileSystem.RunAsync().ConfigureAwait(false);
        }
    }

    private static void FlushEach(ConcurrentQueue<(string Path, ulong Device)> left, ConcurrentQueue<(string Path, ulong Device)> unfit)
    {
        while (left.TryDequeue(out var item))
        {
            if (!Disk.TryFlush(item.Path)) unfit.Enqueue(item);
        }
    }
}
