using Microsoft.Win32.SafeHandles;
using Transfer.Batch.Archive.Tar;
using Transfer.Local;

namespace Transfer.Batch.Archive.Unpacking;

/// <summary>Operations on a file while it is received.</summary>
internal static class ReceivedFile
{
    private const int ReadSize = 128 * 1024;

    // FILETIME begins with 1601; no other time is that old.
    private static readonly DateTime Oldest = new(1602, 1, 1, 0, 0, 0, DateTimeKind.Utc);

    /// <summary>Writes a part of a file.</summary>
    /// <exception cref="TransferException"><see cref="TransferError.Unsupported"/>: no file may be as long here.</exception>
    public static void Write(SafeFileHandle handle, ReadOnlySpan<byte> content, long offset, string path)
    {
        try
        {
            DiskFiles.Write(handle, content, offset, path);
        }
        catch (ArgumentOutOfRangeException e)
        {
            // The framework's exception for EFBIG. Unlike a full disk, the limit fails this file alone, and not the archive.
            throw new TransferException(TransferError.Unsupported, "The file is too large for the file system.", e);
        }
    }

    /// <summary>Returns the status of a path that is to be written; null: nothing exists. A link is not followed, since a link would be
    /// replaced.</summary>
    /// <exception cref="TransferException">The status can't be read.</exception>
    public static FileStatus? Find(string path)
    {
        try
        {
            return FileStatus.Find(path, follow: false);
        }
        catch (Exception e) when (LocalErrors.IsLocal(e))
        {
            throw LocalErrors.Map(e, "Cannot look at", path);
        }
    }

    /// <summary>Whether a file system here can hold a time.</summary>
    public static bool IsPossible(DateTime time) => time > Oldest;

    public static void SetTimes(SafeFileHandle handle, TarEntry entry, string path)
    {
        if (entry.Created is { } created && IsPossible(created) && (OperatingSystem.IsWindows() || OperatingSystem.IsMacOS()))
            File.SetCreationTimeUtc(handle, created);
        // Last: on some systems setting the creation time would change the time of modification.
        if (IsPossible(entry.Modified)) DiskFiles.SetModified(handle, entry.Modified, path);
    }

    /// <summary>Whether an existing file equals a received one: the same bytes, and optionally the same time.</summary>
    /// <param name="come">The received file.</param>
    /// <param name="there">The path of the existing entry, of any type.</param>
    /// <param name="withTime">Whether to compare the times too.</param>
    public static bool IsAlike(string come, string there, bool withTime)
    {
        if (Find(there) is not { IsRegular: true }) return false;
        using var one = DiskFiles.Open(come);
        using var other = DiskFiles.Open(there, share: FileShare.ReadWrite | FileShare.Delete);
        var (mine, theirs) = (SourceStamp.Of(one, come), SourceStamp.Of(other, there));
        if (mine.Length != theirs.Length || withTime && mine.Modified != theirs.Modified) return false;
        var (left, right) = (new byte[ReadSize], new byte[ReadSize]);
        for (long at = 0; at < mine.Length;)
        {
            var count = Math.Min(RandomAccess.Read(one, left, at), RandomAccess.Read(other, right, at));
            if (count == 0 || !left.AsSpan(0, count).SequenceEqual(right.AsSpan(0, count))) return false;
            at += count;
        }
        return true;
    }
}
