using Microsoft.Extensions.Logging;
using Microsoft.Win32.SafeHandles;
using Transfer.Diagnostics;
using Transfer.Local.Native;
using Transfer.Modes;

namespace Transfer.Local;

/// <summary>
/// Local files by their paths. On Linux names are bytes, which a path holds as decoded by <see cref="NameEncoding.LosslessUtf8"/>:
/// System.IO would use other names. On Windows and macOS, whose file systems have no such names, System.IO is used, and a path that stands
/// for other bytes is refused.
/// </summary>
public static class DiskFiles
{
    /// <summary>Whether something other than a directory is at a path, behind links unless they lead nowhere. False also where the system
    /// cannot determine that.</summary>
    public static bool Exists(string path) =>
        (FileStatus.TryFind(path, follow: true) ?? FileStatus.TryFind(path, follow: false)) is { IsFolder: false };

    /// <summary>Opens a file as System.IO.File.OpenHandle does: flock(2) shows other programs of .NET the sharing.</summary>
    /// <param name="path">The path.</param>
    /// <param name="mode">Opens, makes or both.</param>
    /// <param name="access">Reading, writing or both.</param>
    /// <param name="share">The access left to other programs meanwhile; <see cref="FileShare.None"/>: none, and a file that is open
    /// elsewhere is an error.</param>
    /// <param name="options">How the file will be read.</param>
    /// <param name="reserved">Bytes to reserve for a new file, whose length stays 0; no more than a hint where the file system
    /// can't.</param>
    /// <param name="permissions">The permissions of a new file, without the bits of the umask.</param>
    /// <exception cref="TransferException"><see cref="TransferError.Quota"/>: there is no room to be reserved. The file was not
    /// made.</exception>
    /// <exception cref="IOException">The system refuses.</exception>
    /// <exception cref="UnauthorizedAccessException">The file may not be opened, or is a folder.</exception>
    public static SafeFileHandle Open(
        string path, FileMode mode = FileMode.Open, FileAccess access = FileAccess.Read, FileShare share = FileShare.Read,
        FileOptions options = FileOptions.None, long reserved = 0, UnixFileMode permissions = FinalMode.Usual)
    {
        DiskFaults.Check(DiskCall.Open, path);
        if (!OperatingSystem.IsLinux()) return OpenPlain(PlainPath.Of(path), mode, access, share, options, reserved, permissions);
        var descriptor = Libc.Open(path, FlagsOf(mode) | FlagsOf(access), (int)permissions);
        if (descriptor < 0) throw Errno.LastException(path);
        var handle = new SafeFileHandle(descriptor, ownsHandle: true);
        try
        {
            // A folder opens for reading, and only read(2) would refuse.
            if (access == FileAccess.Read && FileStatus.Of(handle, path).IsFolder) throw Errno.ToException(Errno.IsFolder, path);
            // File systems without locks fail with other errors than that of a held lock.
            var operation = share == FileShare.None ? Libc.LockAlone : Libc.LockShared;
            var locked = DiskFaults.Of(DiskCall.Lock, path) is not 0 and var scripted ? scripted : Libc.Lock(handle, operation) == 0
                ? 0 : Errno.Last;
            if (locked == Errno.WouldBlock) throw Errno.ToException(Errno.WouldBlock, path);
            if (mode is FileMode.Create or FileMode.Truncate && RandomAccess.GetLength(handle) > 0) SetLength(handle, 0, path);
            if (options.HasFlag(FileOptions.SequentialScan)) _ = Libc.Advise(handle, 0, 0, Libc.AdviceSequential);
            else if (options.HasFlag(FileOptions.RandomAccess)) _ = Libc.Advise(handle, 0, 0, Libc.AdviceRandom);
            if (reserved > 0) Reserve(handle, path, mode, reserved);
            return handle;
        }
        catch
        {
            handle.Dispose();
            throw;
        }
    }

    /// <summary>
    /// Opens a file for reading that other programs may go on writing, renaming and deleting. On Linux that takes two calls; .NET makes
    /// six, a good part of the work with many small files.
    /// </summary>
    /// <param name="path">The path.</param>
    /// <param name="early">The file, where <see cref="Disk.Open"/> opened it before; belongs to the result. Null: the file is opened
    /// here.</param>
    /// <exception cref="IOException">The file is absent, or another program has locked the file.</exception>
    /// <exception cref="UnauthorizedAccessException">The file may not be read.</exception>
    public static SafeFileHandle OpenSource(string path, SafeFileHandle? early = null)
    {
        if (OperatingSystem.IsLinux())
        {
            var handle = early ?? Disk.Open(path);
            // .NET locks in the same way: a program of .NET that writes the file and permits no readers has an exclusive lock.
            if (handle is not null && Libc.Lock(handle, Libc.LockShared) == 0) return handle;
            handle?.Dispose();
        }
        return Open(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete);
    }

    /// <summary>Has the system read a part of an open file ahead: readahead(2), Linux only. False: not read ahead.</summary>
    public static bool TryReadAhead(SafeFileHandle file, long offset, long length) =>
        OperatingSystem.IsLinux() && Libc.ReadAhead(file, offset, (nuint)length) == 0;

    /// <summary>Deletes an unfinished file or link. One that can't be deleted is logged, and no error.</summary>
    public static void Discard(string path, ILogger logger)
    {
        try
        {
            Delete(path);
        }
        catch (DirectoryNotFoundException)
        {
            // Gone with the folder.
        }
        catch (Exception e) when (LocalErrors.IsLocal(e))
        {
            Log.LocalLeftover(logger, path, e.Message);
        }
    }

    /// <summary>Opens a file as a stream without a buffer.</summary>
    /// <inheritdoc cref="Open"/>
    internal static FileStream OpenStream(
        string path, FileMode mode, FileAccess access, FileShare share = FileShare.Read, FileOptions options = FileOptions.None)
    {
        var handle = Open(path, mode, access, share, options);
        return new DiskStream(handle, access, path);
    }

    /// <summary>
    /// Unlocks a file and closes it. A process being started briefly has the descriptor too: without unlocking, the file would stay locked
    /// as long.
    /// </summary>
    internal static void Release(SafeFileHandle? handle)
    {
        if (handle is { IsClosed: false }) Unlock(handle);
        handle?.Dispose();
    }

    /// <summary>Unlocks a file that was opened here, on Linux; elsewhere closing unlocks.</summary>
    internal static void Unlock(SafeFileHandle handle)
    {
        if (OperatingSystem.IsLinux()) _ = Libc.Lock(handle, Libc.Unlock);
    }

    /// <summary>Deletes a file or a link; nothing happens where nothing is.</summary>
    /// <exception cref="DirectoryNotFoundException">Not even the folder is there.</exception>
    /// <exception cref="IOException">The system refuses.</exception>
    /// <exception cref="UnauthorizedAccessException">The file may not be deleted, or is a folder.</exception>
    public static void Delete(string path)
    {
        DiskFaults.Check(DiskCall.Delete, path);
        if (!OperatingSystem.IsLinux())
        {
            DeletePlain(PlainPath.Of(path));
            return;
        }
        if (Libc.Unlink(path) == 0) return;
        var errno = Errno.Last;
        if (errno != Errno.NotFound) throw Errno.ToException(errno, path);
        if (Path.GetDirectoryName(path) is { Length: > 0 } folder && !DiskDirectories.Exists(folder))
            throw Errno.ToException(errno, path, isFolder: true);
    }

    /// <summary>Renames a file or a folder: rename(2), which replaces a file or an empty folder of that name in one step; on Windows a file
    /// only.</summary>
    /// <exception cref="IOException">The system refuses.</exception>
    /// <exception cref="UnauthorizedAccessException">The file or folder may not be renamed.</exception>
    public static void Rename(string from, string to)
    {
        if (TryRename(from, to) is not 0 and var errno) throw Errno.ToException(errno, from);
    }

    /// <summary>As <see cref="Rename"/>, on Linux and macOS only: 0, or the error number.</summary>
    internal static int TryRename(string from, string to)
    {
        if (DiskFaults.Of(DiskCall.Rename, to) is not 0 and var scripted) return scripted;
        if (!OperatingSystem.IsWindows()) return Libc.Rename(from, to) == 0 ? 0 : Errno.Last;
        if (Directory.Exists(from)) Directory.Move(PlainPath.Of(from), PlainPath.Of(to));
        else File.Move(PlainPath.Of(from), PlainPath.Of(to), overwrite: true);
        return 0;
    }

    /// <summary>Gives a file a second, new name: link(2), on Linux and macOS only. 0, or the error number.</summary>
    internal static int TryLink(string from, string to)
    {
        if (DiskFaults.Of(DiskCall.Link, to) is not 0 and var scripted) return scripted;
        return Libc.Link(from, to) == 0 ? 0 : Errno.Last;
    }

    /// <summary>Reads from an open file; 0 bytes: the file ends there.</summary>
    /// <exception cref="IOException">The system refuses.</exception>
    public static int Read(SafeFileHandle handle, Span<byte> buffer, long offset, string path)
    {
        DiskFaults.Check(DiskCall.Read, path);
        return RandomAccess.Read(handle, buffer, offset);
    }

    /// <summary>Writes all of the bytes to an open file.</summary>
    /// <exception cref="IOException">The system refuses.</exception>
    public static void Write(SafeFileHandle handle, ReadOnlySpan<byte> bytes, long offset, string path)
    {
        DiskFaults.Check(DiskCall.Write, path);
        RandomAccess.Write(handle, bytes, offset);
    }

    /// <summary>Cuts an open file off behind a length, or lengthens the file by zeros.</summary>
    /// <exception cref="IOException">The system refuses.</exception>
    public static void SetLength(SafeFileHandle handle, long length, string path)
    {
        DiskFaults.Check(DiskCall.SetLength, path);
        RandomAccess.SetLength(handle, length);
    }

    /// <summary>Sets the permissions of a file or a folder, behind links. Not for Windows.</summary>
    /// <exception cref="IOException">The system refuses.</exception>
    public static void SetMode(string path, UnixFileMode mode)
    {
        DiskFaults.Check(DiskCall.SetMode, path);
        if (OperatingSystem.IsWindows()) throw new PlatformNotSupportedException();
        if (Libc.SetMode(path, (uint)mode) != 0) throw Errno.LastException(path);
    }

    /// <summary>As <see cref="SetMode"/>.</summary>
    /// <returns>0, or the error number.</returns>
    internal static int TrySetMode(string path, UnixFileMode mode)
    {
        if (DiskFaults.Of(DiskCall.SetMode, path) is not 0 and var scripted) return scripted;
        return Libc.SetMode(path, (uint)mode) == 0 ? 0 : Errno.Last;
    }

    /// <summary>Sets the permissions of an open file. Not for Windows.</summary>
    /// <returns>0, or the error number.</returns>
    internal static int TrySetMode(SafeFileHandle file, string path, UnixFileMode mode)
    {
        if (DiskFaults.Of(DiskCall.SetMode, path) is not 0 and var scripted) return scripted;
        return Libc.SetMode(file, (uint)mode) == 0 ? 0 : Errno.Last;
    }

    /// <summary>Sets the time of the last modification of a file or a folder.</summary>
    /// <param name="path">The path.</param>
    /// <param name="time">The time, of UTC.</param>
    /// <param name="follow">Whether the entry behind a link is meant; false: the link itself.</param>
    /// <exception cref="IOException">The system refuses.</exception>
    public static void SetModified(string path, DateTime time, bool follow = true)
    {
        DiskFaults.Check(DiskCall.SetTime, path);
        if (OperatingSystem.IsLinux())
        {
            var flags = follow ? 0 : Libc.NoFollow;
            if (Libc.SetTimes(Libc.WorkingDirectory, path, [TimeSpec.Omitted, TimeSpec.Of(time)], flags) != 0)
                throw Errno.LastException(path);
            return;
        }
        if (follow && DiskLinks.TargetOf(path) is not null) path = LocalLinks.RealPath(path);
        if (DiskDirectories.Exists(path)) Directory.SetLastWriteTimeUtc(path, time);
        else File.SetLastWriteTimeUtc(path, time);
    }

    /// <summary>Sets the time of the last modification of an open file, on Linux in one call: .NET first reads the time of the last access,
    /// to set that again.</summary>
    /// <param name="file">The file, open for writing.</param>
    /// <param name="time">The time, of UTC.</param>
    /// <param name="path">The path of the file.</param>
    /// <exception cref="IOException">The system refuses.</exception>
    /// <exception cref="UnauthorizedAccessException">The time may not be set.</exception>
    public static void SetModified(SafeFileHandle file, DateTime time, string path)
    {
        DiskFaults.Check(DiskCall.SetTime, path);
        // Where refused, .NET's call reports why.
        if (!OperatingSystem.IsLinux() || Libc.SetTimes(file, [TimeSpec.Omitted, TimeSpec.Of(time)]) != 0)
            File.SetLastWriteTimeUtc(file, time);
    }

    // File.OpenHandle takes no permissions for a new file, but a stream does: the stream's handle is taken.
    private static SafeFileHandle OpenPlain(string path, FileMode mode, FileAccess access, FileShare share, FileOptions options,
        long reserved, UnixFileMode permissions)
    {
        if (OperatingSystem.IsWindows() || mode is FileMode.Open or FileMode.Truncate)
            return File.OpenHandle(path, mode, access, share, options, reserved);
        using var stream = new FileStream(
            path, new FileStreamOptions
            {
                Mode = mode,
                Access = access,
                Share = share,
                Options = options,
                PreallocationSize = reserved,
                BufferSize = 0,
                UnixCreateMode = permissions
            });
        var handle = new SafeFileHandle(stream.SafeFileHandle.DangerousGetHandle(), ownsHandle: true);
        stream.SafeFileHandle.SetHandleAsInvalid();
        return handle;
    }

    private static void DeletePlain(string path)
    {
        // Windows distinguishes links to folders from other links.
        if (OperatingSystem.IsWindows() && DiskLinks.TargetOf(path) is not null && Directory.Exists(path)) Directory.Delete(path);
        else File.Delete(path);
    }

    private static int FlagsOf(FileMode mode)
    {
        const int Create = 0x40;
        const int New = 0x80;
        const int CloseOnExec = 0x80000;
        return CloseOnExec | mode switch
        {
            FileMode.CreateNew => Create | New,
            FileMode.Create or FileMode.OpenOrCreate => Create,
            FileMode.Open or FileMode.Truncate => 0,
            _ => throw new ArgumentOutOfRangeException(nameof(mode)),
        };
    }

    private static int FlagsOf(FileAccess access) => access switch
    {
        FileAccess.Read => 0,
        FileAccess.Write => 1,
        _ => 2,
    };

    // 32-bit systems have different constants.
    private static void Reserve(SafeFileHandle handle, string path, FileMode mode, long length)
    {
        if (!Environment.Is64BitProcess || Libc.Allocate(handle, Libc.KeepSize, 0, (nint)length) == 0) return;
        var errno = Errno.Last;
        if (errno is not (Errno.NoSpace or Errno.TooLarge)) return;
        if (mode == FileMode.CreateNew) _ = Libc.Unlink(path);
        throw new TransferException(TransferError.Quota,
            $"Cannot write {path}, of {length} bytes: {Errno.ToException(errno, path).Message}");
    }
}
