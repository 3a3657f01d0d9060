using Microsoft.Win32.SafeHandles;
using Transfer.Local.Native;

namespace Transfer.Local;

/// <summary>
/// A file that has no name until published (O_TMPFILE of open(2), Linux): no part of the file can be seen before, nothing remains after any
/// failure, and the folder is written to once instead of three times.
/// </summary>
internal sealed class UnnamedFile : IDisposable
{
    private const int WriteOnly = 0x1;
    private const int Temporary = 0x400000; // together with O_DIRECTORY
    private const int AnyoneReadsAndWrites = 0b110_110_110;
    private const string Descriptors = "/proc/self/fd/";

    private readonly OpenFiles _places;

    private UnnamedFile(SafeFileHandle handle, OpenFiles places)
    {
        Handle = handle;
        _places = places;
    }

    /// <summary>Whether the system has such files, and the /proc entries that they need.</summary>
    public static bool IsSupported { get; } = OperatingSystem.IsLinux() && Directory.Exists(Descriptors);

    /// <summary>The handle for writing, which users do not close.</summary>
    public SafeFileHandle Handle { get; }

    /// <summary>A path by which this process can open the file, as long as the handle is open.</summary>
    public string Path => Descriptors + Handle.DangerousGetHandle();

    /// <summary>Makes a file, with the usual permissions of new files in the folder.</summary>
    /// <param name="folder">The folder of the final name.</param>
    /// <param name="places">The file takes one place until closed; null is returned where none is left.</param>
    /// <returns>Null: the file can't be made, either in this way only, or for a reason that making a named file will report too.</returns>
    public static UnnamedFile? TryCreate(string folder, OpenFiles places)
    {
        if (!IsSupported || !places.TryTake(needed: false)) return null;
        var descriptor = DiskFaults.Of(DiskCall.Open, folder) != 0
            ? -1 : Libc.Open(folder, WriteOnly | Temporary | OpenFlags.Folder | OpenFlags.CloseOnExec, AnyoneReadsAndWrites);
        if (descriptor >= 0) return new UnnamedFile(new SafeFileHandle(descriptor, ownsHandle: true), places);
        places.Return();
        return null;
    }

    /// <summary>Gives the file a new name.</summary>
    /// <returns>False: the name exists.</returns>
    /// <exception cref="IOException">The system refuses.</exception>
    public bool TryPublish(string path)
    {
        if (DiskFaults.Of(DiskCall.Link, path) is not 0 and var scripted) throw Errno.ToException(scripted, path);
        // By the descriptor itself, without /proc; kernels before 6.10 permit that to root alone, and report that there is no such file.
        if (Libc.Link((int)Handle.DangerousGetHandle(), string.Empty, Libc.WorkingDirectory, path, Libc.OfDescriptor) == 0) return true;
        var errno = Errno.Last;
        if (errno == Errno.NotFound)
        {
            if (Libc.Link(Libc.WorkingDirectory, Path, Libc.WorkingDirectory, path, Libc.Follow) == 0) return true;
            errno = Errno.Last;
        }
        return errno == Errno.Exists ? false : throw Errno.ToException(errno, path);
    }

    /// <summary>Closes a completely written file that has a name.</summary>
    /// <param name="path">The name.</param>
    /// <exception cref="UnauthorizedAccessException">As the next.</exception>
    /// <exception cref="IOException">Some bytes were not written, which the system reports only now. The file has no name any
    /// more.</exception>
    public void Close(string path)
    {
        try
        {
            Disk.Close(Handle, path, isLocked: false);
        }
        catch (Exception e) when (LocalErrors.IsLocal(e))
        {
            DiskFiles.Delete(path);
            throw;
        }
        finally
        {
            _places.Return();
        }
    }

    /// <summary>Closes the file. Without a name, the file is gone.</summary>
    public void Dispose()
    {
        if (Handle.IsClosed) return;
        Handle.Dispose();
        _places.Return();
    }
}
