using System.Runtime.InteropServices;
using System.Text;
using System.Text.Unicode;

namespace Transfer.Local.Native;

/// <summary>Reads folders on Linux: readdir(3), and statx(2) by names that are relative to the open folder.</summary>
internal static class FolderReader
{
    // struct dirent with 64-bit numbers: inode, offset, length of the record, type, name.
    private const int NameAt = 19;

    // musl has dropped the number from the name, and has 64 bits in any case.
    private static readonly bool HasNumber = NativeLibrary.TryLoad("libc", typeof(FolderReader).Assembly, null, out var library)
        && NativeLibrary.TryGetExport(library, "readdir64", out _);

    /// <summary>Reads the entries of a folder, without <c>.</c> and <c>..</c>.</summary>
    public static IEnumerable<FolderEntry> Read(string path)
    {
        using var folder = Open(path);
        while (Next(folder, path) is not 0 and var entry)
        {
            // An entry that is gone by now does not count.
            if (NameOf(entry) is { } name && StatusOf(folder, path, entry, name) is { } status) yield return new(name, status);
        }
    }

    /// <summary>Reads the names in a folder, without <c>.</c> and <c>..</c>.</summary>
    public static IEnumerable<string> ReadNames(string path)
    {
        using var folder = Open(path);
        while (Next(folder, path) is not 0 and var entry)
        {
            if (NameOf(entry) is { } name) yield return name;
        }
    }

    private static FolderHandle Open(string path)
    {
        var folder = FolderHandle.Open(path);
        if (!folder.IsInvalid) return folder;
        var errno = Errno.Last;
        folder.Dispose();
        throw Errno.ToException(errno, path, isFolder: true);
    }

    private static nint Next(FolderHandle folder, string path)
    {
        DiskFaults.Check(DiskCall.NextEntry, path);
        var entry = HasNumber ? Libc.ReadFolder64(folder) : Libc.ReadFolder(folder);
        if (entry == 0 && Errno.Last is not 0 and var errno) throw Errno.ToException(errno, path, isFolder: true);
        return entry;
    }

    // Null: . or ..
    private static unsafe string? NameOf(nint entry)
    {
        var bytes = MemoryMarshal.CreateReadOnlySpanFromNullTerminated((byte*)entry + NameAt);
        if (bytes is [(byte)'.'] or [(byte)'.', (byte)'.']) return null;
        return Utf8.IsValid(bytes) ? Encoding.UTF8.GetString(bytes) : NameEncoding.LosslessUtf8.GetString(bytes);
    }

    private static FileStatus? StatusOf(FolderHandle folder, string path, nint entry, string name)
    {
        if (!Statx.IsSupported) return FileStatus.Find(Path.Join(path, name), follow: false);
        Span<byte> status = stackalloc byte[Statx.Length];
        var errno = DiskFaults.IsScripted && DiskFaults.Of(DiskCall.Status, Path.Join(path, name)) is not 0 and var scripted
            ? scripted : Statx.TryRead(Libc.DescriptorOf(folder), entry + NameAt, status);
        if (errno == 0) return Statx.Read(status);
        if (errno == Errno.NotImplemented) return FileStatus.Find(Path.Join(path, name), follow: false);
        return errno == Errno.NotFound ? null : throw Errno.ToException(errno, Path.Join(path, name));
    }
}
