using Transfer.Local.Native;

namespace Transfer.Local;

/// <summary>Symbolic links by their paths: see <see cref="DiskFiles"/>.</summary>
internal static class DiskLinks
{
    private const int UsualLength = 512;
    private const int MostLength = 64 << 10; // PATH_MAX is 4096

    /// <summary>The text of a link; null: no link is at the path, or none that this process could follow.</summary>
    /// <exception cref="IOException">The disk fails: a link may be there.</exception>
    public static string? TargetOf(string path)
    {
        if (!OperatingSystem.IsLinux()) return NameBytes.AreText(path) ? new FileInfo(path).LinkTarget : null;
        Span<byte> usual = stackalloc byte[UsualLength];
        var text = usual;
        while (true)
        {
            var scripted = DiskFaults.Of(DiskCall.ReadLink, path);
            var length = scripted != 0 ? -1 : (int)Libc.ReadLink(path, text, (nuint)text.Length);
            var errno = scripted != 0 ? scripted : length < 0 ? Errno.Last : 0;
            if (errno != 0) return LocalErrorCodes.FromErrno(errno) == TransferError.Unknown ? throw Errno.ToException(errno, path) : null;
            if (length < text.Length) return NameEncoding.LosslessUtf8.GetString(text[..length]);
            if (text.Length >= MostLength) throw Errno.ToException(Errno.NameTooLong, path);
            text = new byte[text.Length * 8];
        }
    }

    /// <summary>Makes a link at a path where nothing is.</summary>
    /// <param name="path">The path.</param>
    /// <param name="text">The link's text, unchanged.</param>
    /// <param name="toFolder">Whether the link leads to a folder: Windows has two kinds of links.</param>
    /// <exception cref="IOException">Something is there, or the system refuses.</exception>
    public static void Create(string path, string text, bool toFolder)
    {
        DiskFaults.Check(DiskCall.SymbolicLink, path);
        if (OperatingSystem.IsLinux())
        {
            if (Libc.MakeSymbolicLink(text, path) != 0) throw Errno.LastException(path);
            return;
        }
        if (toFolder) Directory.CreateSymbolicLink(PlainPath.Of(path), PlainPath.Of(text));
        else File.CreateSymbolicLink(PlainPath.Of(path), PlainPath.Of(text));
    }
}
