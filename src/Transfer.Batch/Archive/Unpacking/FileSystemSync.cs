using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;
using Transfer.Local;

namespace Transfer.Batch.Archive.Unpacking;

/// <summary>
/// Brings all that was written to a file system to its disk: syncfs(2), on Linux only. It takes about as long for one file as for a thousand, so whoever
/// asks while it runs shares the next run with all others who do.
/// </summary>
internal sealed class FileSystemSync : IDisposable
{
    private const int CloseOnExec = 0x80000;

    private readonly Lock _gate = new();
    private readonly string _folder;
    private readonly SafeFileHandle _handle;
    private Task? _running;
    private Task? _next;

    /// <param name="folder">A folder of the file system.</param>
    public FileSystemSync(string folder)
    {
        _folder = folder;
        // .NET opens no folders.
        var descriptor = Open(Marshal.StringToCoTaskMemUTF8(folder));
        if (descriptor < 0) throw Failure();
        _handle = new SafeFileHandle(descriptor, ownsHandle: true);
    }

    public static bool IsSupported => OperatingSystem.IsLinux();

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

    private void Run()
    {
        if (SyncFileSystem(_handle) != 0) throw Failure();
    }

    private static int Open(nint path)
    {
        try
        {
            return OpenPath(path, CloseOnExec);
        }
        finally
        {
            Marshal.FreeCoTaskMem(path);
        }
    }

    private TransferException Failure()
    {
        var errno = Marshal.GetLastPInvokeError();
        return new(LocalErrors.FromErrno(errno), $"Cannot make files safe in {_folder}: {Marshal.GetPInvokeErrorMessage(errno)}.");
    }

    [DllImport("libc", EntryPoint = "open", SetLastError = true)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static extern int OpenPath(nint path, int flags);

    [DllImport("libc", EntryPoint = "syncfs", SetLastError = true)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static extern int SyncFileSystem(SafeFileHandle folder);
}
