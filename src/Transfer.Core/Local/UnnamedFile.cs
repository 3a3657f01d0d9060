using Microsoft.Win32.SafeHandles;
using Transfer.Local.Native;

namespace Transfer.Local;

/// <summary>
/// A file that has no name until it gets its own (O_TMPFILE of open(2), Linux): nothing of it can be seen before, nothing is left of it whatever happens, and its
/// folder is written to once instead of three times.
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

    /// <summary>The system has such files, and shows what else is needed for them.</summary>
    public static bool IsSupported { get; } = OperatingSystem.IsLinux() && Directory.Exists(Descriptors);

    /// <summary>Writes to it; whoever has it does not close it.</summary>
    public SafeFileHandle Handle { get; }

    /// <summary>A path by which this process can open it, while it is open here.</summary>
    public string Path => Descriptors + Handle.DangerousGetHandle();

    /// <summary>Makes one, with the permissions that are usual for new files in its folder.</summary>
    /// <param name="folder">Where it will get its name.</param>
    /// <param name="places">Each is open until then; null is returned where none is left.</param>
    /// <returns>Null: it can't be made, be it for a reason of this way, or for one that any other way of making a file finds too, and tells.</returns>
    public static UnnamedFile? TryCreate(string folder, OpenFiles places)
    {
        if (!IsSupported || !places.TryTake(needed: false)) return null;
        var descriptor = DiskFaults.Of(DiskCall.Open, folder) != 0 ? -1 : Libc.Open(folder, WriteOnly | Temporary | OpenFlags.Folder | OpenFlags.CloseOnExec, AnyoneReadsAndWrites);
        if (descriptor >= 0) return new UnnamedFile(new SafeFileHandle(descriptor, ownsHandle: true), places);
        places.Return();
        return null;
    }

    /// <summary>Gives it a name that nothing has.</summary>
    /// <returns>False: something has it.</returns>
    /// <exception cref="IOException">The system refuses.</exception>
    public bool TryPublish(string path)
    {
        if (DiskFaults.Of(DiskCall.Link, path) is not 0 and var scripted) throw Errno.ToException(scripted, path);
        // By the descriptor itself, which takes no way through /proc; kernels before 6.10 let only root do that, and say that there is no such thing.
        if (Libc.Link((int)Handle.DangerousGetHandle(), string.Empty, Libc.WorkingDirectory, path, Libc.OfDescriptor) == 0) return true;
        var errno = Errno.Last;
        if (errno == Errno.NotFound)
        {
            if (Libc.Link(Libc.WorkingDirectory, Path, Libc.WorkingDirectory, path, Libc.Follow) == 0) return true;
            errno = Errno.Last;
        }
        return errno == Errno.Exists ? false : throw Errno.ToException(errno, path);
    }

    /// <summary>Closes it when all of it is written and it has its name.</summary>
    /// <param name="path">The name.</param>
    /// <exception cref="UnauthorizedAccessException">As the next.</exception>
    /// <exception cref="IOException">Not all was written, as the system says only now. The file has no name any more.</exception>
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

    /// <summary>Closes it. What has no name by now is gone.</summary>
    public void Dispose()
    {
        if (Handle.IsClosed) return;
        Handle.Dispose();
        _places.Return();
    }
}
