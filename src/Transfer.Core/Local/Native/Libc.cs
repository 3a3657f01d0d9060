using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;
using AsBytes = System.Runtime.InteropServices.Marshalling.MarshalUsingAttribute;

[assembly: DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]

namespace Transfer.Local.Native;

/// <summary>
/// The C library's calls. No System.IO call of .NET for paths keeps names that are no UTF-8, and none reports all errors of fsync(2) and
/// close(2). The signatures are those of Linux with glibc and with musl on every processor; calls that are used on macOS too are in
/// <see cref="Disk"/> and <see cref="FolderBelow"/>.
/// </summary>
internal static partial class Libc
{
    /// <summary>AT_FDCWD: a relative path is relative to the working directory.</summary>
    public const int WorkingDirectory = -100;

    /// <summary>AT_SYMLINK_NOFOLLOW.</summary>
    public const int NoFollow = 0x100;

    /// <summary>AT_SYMLINK_FOLLOW, of linkat(2).</summary>
    public const int Follow = 0x400;

    /// <summary>AT_EMPTY_PATH: the descriptor itself is meant.</summary>
    public const int OfDescriptor = 0x1000;

    /// <summary>LOCK_SH | LOCK_NB of flock(2).</summary>
    public const int LockShared = 1 | 4;

    /// <summary>LOCK_EX | LOCK_NB of flock(2).</summary>
    public const int LockAlone = 2 | 4;

    /// <summary>LOCK_UN of flock(2).</summary>
    public const int Unlock = 8;

    /// <summary>FALLOC_FL_KEEP_SIZE of fallocate(2).</summary>
    public const int KeepSize = 1;

    /// <summary>POSIX_FADV_RANDOM and POSIX_FADV_SEQUENTIAL.</summary>
    public const int AdviceRandom = 1;

    /// <inheritdoc cref="AdviceRandom"/>
    public const int AdviceSequential = 2;

    /// <summary>F_FULLFSYNC of fcntl(2), macOS: fsync(2) does not flush the drive's own cache there.</summary>
    public const int FullFlush = 51;

    private const string Library = "libc";

    [LibraryImport(Library, EntryPoint = "open", SetLastError = true)]
    public static partial int Open([AsBytes(typeof(PathMarshaller))] string path, int flags, int mode);

    // The mode, which is variadic, is read only when a file is made.
    [LibraryImport(Library, EntryPoint = "openat", SetLastError = true)]
    public static partial int OpenAt(int folder, [AsBytes(typeof(PathMarshaller))] string path, int flags);

    [LibraryImport(Library, EntryPoint = "unlinkat", SetLastError = true)]
    public static partial int Unlink(SafeFileHandle folder, [AsBytes(typeof(PathMarshaller))] string name, int flags);

    [LibraryImport(Library, EntryPoint = "close", SetLastError = true)]
    public static partial int Close(nint descriptor);

    [LibraryImport(Library, EntryPoint = "fsync", SetLastError = true)]
    public static partial int Sync(SafeFileHandle file);

    [LibraryImport(Library, EntryPoint = "fcntl", SetLastError = true)]
    public static partial int Control(SafeFileHandle file, int command);

    // The value is variadic, which on Linux is passed as any other.
    [LibraryImport(Library, EntryPoint = "fcntl", SetLastError = true)]
    public static partial int Control(SafeFileHandle file, int command, nint value);

    [LibraryImport(Library, EntryPoint = "syncfs", SetLastError = true)]
    public static partial int SyncFileSystem(SafeFileHandle file);

    [LibraryImport(Library, EntryPoint = "flock", SetLastError = true)]
    public static partial int Lock(SafeFileHandle file, int operation);

    [LibraryImport(Library, EntryPoint = "fallocate", SetLastError = true)]
    public static partial int Allocate(SafeFileHandle file, int mode, nint offset, nint length);

    [LibraryImport(Library, EntryPoint = "posix_fadvise")]
    public static partial int Advise(SafeFileHandle file, nint offset, nint length, int advice);

    [LibraryImport(Library, EntryPoint = "statx", SetLastError = true)]
    public static partial int Status(int folder, [AsBytes(typeof(PathMarshaller))] string path, int flags, uint wanted, Span<byte> status);

    [LibraryImport(Library, EntryPoint = "readahead")]
    public static partial nint ReadAhead(SafeFileHandle file, long offset, nuint length);

    [LibraryImport(Library, EntryPoint = "statx", SetLastError = true)]
    public static partial int Status(int folder, nint name, int flags, uint wanted, Span<byte> status);

    [LibraryImport(Library, EntryPoint = "statx", SetLastError = true)]
    public static partial int Status(SafeFileHandle file, in byte path, int flags, uint wanted, Span<byte> status);

    [LibraryImport(Library, EntryPoint = "mkdir", SetLastError = true)]
    public static partial int MakeFolder([AsBytes(typeof(PathMarshaller))] string path, uint mode);

    [LibraryImport(Library, EntryPoint = "rmdir", SetLastError = true)]
    public static partial int RemoveFolder([AsBytes(typeof(PathMarshaller))] string path);

    [LibraryImport(Library, EntryPoint = "unlink", SetLastError = true)]
    public static partial int Unlink([AsBytes(typeof(PathMarshaller))] string path);

    [LibraryImport(Library, EntryPoint = "rename", SetLastError = true)]
    public static partial int Rename([AsBytes(typeof(PathMarshaller))] string from, [AsBytes(typeof(PathMarshaller))] string to);

    [LibraryImport(Library, EntryPoint = "link", SetLastError = true)]
    public static partial int Link([AsBytes(typeof(PathMarshaller))] string from, [AsBytes(typeof(PathMarshaller))] string to);

    [LibraryImport(Library, EntryPoint = "linkat", SetLastError = true)]
    public static partial int Link(int fromFolder, [AsBytes(typeof(PathMarshaller))] string from, int toFolder,
        [AsBytes(typeof(PathMarshaller))] string to, int flags);

    [LibraryImport(Library, EntryPoint = "symlink", SetLastError = true)]
    public static partial int MakeSymbolicLink([AsBytes(typeof(PathMarshaller))] string text,
        [AsBytes(typeof(PathMarshaller))] string path);

    [LibraryImport(Library, EntryPoint = "readlink", SetLastError = true)]
    public static partial nint ReadLink([AsBytes(typeof(PathMarshaller))] string path, Span<byte> text, nuint length);

    [LibraryImport(Library, EntryPoint = "chmod", SetLastError = true)]
    public static partial int SetMode([AsBytes(typeof(PathMarshaller))] string path, uint mode);

    [LibraryImport(Library, EntryPoint = "fchmod", SetLastError = true)]
    public static partial int SetMode(SafeFileHandle file, uint mode);

    [LibraryImport(Library, EntryPoint = "umask")]
    public static partial uint SetUmask(uint mask);

    [LibraryImport(Library, EntryPoint = "futimens", SetLastError = true)]
    public static partial int SetTimes(SafeFileHandle file, ReadOnlySpan<TimeSpec> times);

    [LibraryImport(Library, EntryPoint = "utimensat", SetLastError = true)]
    public static partial int SetTimes(int folder, [AsBytes(typeof(PathMarshaller))] string path, ReadOnlySpan<TimeSpec> times, int flags);

    [LibraryImport(Library, EntryPoint = "opendir", SetLastError = true)]
    public static partial nint OpenFolder([AsBytes(typeof(PathMarshaller))] string path);

    [LibraryImport(Library, EntryPoint = "closedir")]
    public static partial int CloseFolder(nint folder);

    [LibraryImport(Library, EntryPoint = "dirfd")]
    public static partial int DescriptorOf(FolderHandle folder);

    [LibraryImport(Library, EntryPoint = "readdir64", SetLastError = true)]
    public static partial nint ReadFolder64(FolderHandle folder);

    [LibraryImport(Library, EntryPoint = "readdir", SetLastError = true)]
    public static partial nint ReadFolder(FolderHandle folder);

    [LibraryImport(Library, EntryPoint = "getcwd", SetLastError = true)]
    public static partial nint WorkingDirectoryOf(Span<byte> path, nuint length);
}
