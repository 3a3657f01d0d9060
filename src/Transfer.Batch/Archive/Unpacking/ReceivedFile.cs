using Microsoft.Win32.SafeHandles;
using Transfer.Batch.Archive.Tar;
using Transfer.Local;

namespace Transfer.Batch.Archive.Unpacking;

/// <summary>What is done to a file on its way.</summary>
internal static class ReceivedFile
{
    private const int ReadSize = 128 * 1024;

    // FILETIME begins with 1601; nothing else is that old.
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
            // What the framework makes of EFBIG.
            throw new TransferException(TransferError.Unsupported, "The file is too large for the file system.", e);
        }
    }

    /// <summary>What is at a path that is to be written; null: nothing. A link is a link here: it would be replaced, not followed.</summary>
    /// <exception cref="TransferException">It cannot be found out.</exception>
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

    /// <summary>False: no file system here has such a time.</summary>
    public static bool IsPossible(DateTime time) => time > Oldest;

    public static void SetTimes(SafeFileHandle handle, TarEntry entry, string path)
    {
        if (entry.Created is { } created && IsPossible(created) && (OperatingSystem.IsWindows() || OperatingSystem.IsMacOS())) File.SetCreationTimeUtc(handle, created);
        // Last: elsewhere setting the creation time would change it.
        if (IsPossible(entry.Modified)) DiskFiles.SetModified(handle, entry.Modified, path);
    }

    /// <summary>What is there is what has come: the same bytes, and where that is said, the same time.</summary>
    /// <param name="come">What has come; a file.</param>
    /// <param name="there">What is there; anything.</param>
    /// <param name="withTime">The time too.</param>
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
