using Microsoft.Win32.SafeHandles;
using Transfer.Local;

namespace Transfer.Batch.Archive.Unpacking;

/// <summary>
/// Flushes all that was written to a file system: syncfs(2), on Linux only. A run takes about as long for one file as for a thousand, so
/// requests during a run share the next run.
/// </summary>
internal sealed class FileSystemSync : IDisposable
{
    private readonly Lock _gate = new();
    private readonly string _folder;
    private readonly SafeFileHandle _handle;
    private Task? _running;
    private Task? _next;

    private FileSystemSync(string folder, SafeFileHandle handle)
    {
        _folder = folder;
        _handle = handle;
    }

    public static bool IsSupported => OperatingSystem.IsLinux();

    /// <summary>Opens the file system that a folder is on. Null: the folder can't be read.</summary>
    public static FileSystemSync? TryOpen(string folder) => Disk.Open(folder) is { } handle ? new FileSystemSync(folder, handle) : null;

    /// <summary>Returns when all that was written before the call is on the disk.</summary>
    public Task RunAsync()
    {
        lock (_gate)
        {
            // The one that runs may have begun too early.
            if (_running is { IsCompleted: false }) return _next ??= AfterAsync(_running);
            return _running = Task.Run(Run);
        }
    }

    public void Dispose() => _handle.Dispose();

    private async Task AfterAsync(Task before)
    {
        // Never at once: the caller holds the lock, and has yet to remember this.
        await before.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing | ConfigureAwaitOptions.ForceYielding);
        Task run;
        lock (_gate)
        {
            _next = null;
            run = _running = Task.Run(Run);
        }
        await run.ConfigureAwait(false);
    }

    private void Run() => Disk.FlushFileSystem(_handle, _folder);
}
