using System.Collections.Concurrent;
using Microsoft.Win32.SafeHandles;
using Transfer.Local;

namespace Transfer.Batch.Archive.Unpacking;

/// <summary>
/// Brings what a job has written to the disk, by the way that <see cref="Durability"/> says: whole file systems, or each file and folder on its own, many at once, so
/// that one commit of a journal is for many of them. Thread-safe.
/// </summary>
internal sealed class DiskFlush : IDisposable
{
    /// <summary>
    /// More than so many bytes of others on their way to the disks are not waited for with every archive (<see cref="Durability.Archive"/>): a second of a hard disk.
    /// With less, a file system as a whole is quicker by far than its files.
    /// </summary>
    public const long MuchOfOthers = 128 << 20;

    // They wait for the disk and compute nothing. A disk has a queue to fill; what is behind its end gains nothing.
    private const int MostThreads = 32;

    // Another archive's files keep the queue filled at an archive's end.
    private const int MostRuns = 2;

    private readonly Lock _gate = new();
    private readonly Dictionary<ulong, FileSystemSync> _fileSystems = [];
    private readonly SemaphoreSlim _runs = new(MostRuns);
    private readonly Durability _durability;
    private readonly Func<long> _measure;
    private long _own;

    /// <param name="durability">How. It is <see cref="Durability.File"/> where a system can't do what it says.</param>
    /// <param name="measure">Bytes on their way to the disks, of everybody.</param>
    public DiskFlush(Durability durability, Func<long>? measure = null)
    {
        _durability = durability == Durability.None || FileSystemSync.IsSupported ? durability : Durability.File;
        _measure = measure ?? OthersWrites.Measure;
    }

    /// <summary>Every file is flushed by whoever writes it, and not here.</summary>
    public bool IsAtOnce => _durability == Durability.File && !FileSystemSync.IsSupported;

    /// <summary>How often whole file systems were flushed, and how often files.</summary>
    public (int FileSystems, int Files) Runs { get; private set; }

    /// <summary>The job has written something, or (negative) it is on the disk or gone.</summary>
    public void Wrote(long bytes) => Interlocked.Add(ref _own, bytes);

    /// <summary>Brings one file there, which is about to replace what nobody knew of when the others were flushed.</summary>
    /// <exception cref="IOException">The system can't.</exception>
    public void Secure(SafeFileHandle handle, string path)
    {
        if (_durability != Durability.None) Disk.FlushFile(handle, path);
    }

    /// <summary>Returns when what a list has is on the disk.</summary>
    /// <exception cref="TransferException">The system can't bring it there.</exception>
    public async Task RunAsync(FlushList list)
    {
        if (_durability == Durability.None) return;
        var folders = list.Folders.ToList();
        if (folders.Count == 0) return;
        var rest = await FlushFileSystemsAsync(folders).ConfigureAwait(false);
        // Elsewhere than on Linux files are flushed already, and Windows keeps its folders' entries itself.
        var single = (FileSystemSync.IsSupported ? list.Files : []).Concat(OperatingSystem.IsWindows() ? [] : folders).Where(item => rest.Contains(item.Device)).Distinct().ToList();
        if (single.Count > 0) await FlushEachAsync(single).ConfigureAwait(false);
        list.Settle();
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
        if (_durability == Durability.File || _durability == Durability.Archive && _measure() - Interlocked.Read(ref _own) > MuchOfOthers) return devices;
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
            if (!_fileSystems.TryGetValue(device, out var known) && FileSystemSync.TryOpen(folder) is { } opened) _fileSystems.Add(device, known = opened);
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
        // What can't be opened, by its permissions or because somebody has moved it, gets to the disk with all else. Where there is no such call nothing can be done.
        foreach (var folder in FileSystemSync.IsSupported ? unfit.Select(item => Path.GetDirectoryName(item.Path) ?? item.Path).Distinct() : [])
        {
            using var fileSystem = FileSystemSync.TryOpen(folder) ?? throw new TransferException(TransferError.Denied, $"Cannot make what is in {folder} safe: it can't be opened.");
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
