using System.Runtime.InteropServices;

namespace Transfer.Local;

/// <summary>Gives finished files their names.</summary>
internal static class LocalRename
{
    private const int Exdev = 18;

    /// <summary>Renames a file, and never copies it, as .NET does between file systems: half of it would stand under its name meanwhile.</summary>
    /// <exception cref="TransferException"><see cref="TransferError.Unsupported"/>: the two are on different file systems.</exception>
    /// <exception cref="IOException">The system refuses.</exception>
    public static void Move(string from, string to, bool replace)
    {
        if (OperatingSystem.IsWindows())
        {
            // A volume that is mounted in a folder does not show here.
            if (!string.Equals(Path.GetPathRoot(from), Path.GetPathRoot(to), StringComparison.OrdinalIgnoreCase)) throw Elsewhere(from, to);
        }
        else if (!replace && Link(Disk.Encode(from), Disk.Encode(to)) == 0)
        {
            // A second name is refused where there is something, even if that came just now; a rename would replace it.
            File.Delete(from);
            return;
        }
        else if (!replace && Marshal.GetLastPInvokeError() == Exdev)
        {
            throw Elsewhere(from, to);
        }
        else if (replace || !(Path.Exists(to) || LocalLinks.IsLink(to)))
        {
            // Also for file systems without second names.
            if (Rename(Disk.Encode(from), Disk.Encode(to)) == 0) return;
            if (Marshal.GetLastPInvokeError() == Exdev) throw Elsewhere(from, to);
        }
        File.Move(from, to, replace);
    }

    private static TransferException Elsewhere(string from, string to) => new(TransferError.Unsupported, $"{from} cannot become {to}: that is on another file system.");

    [DllImport("libc", EntryPoint = "link", SetLastError = true)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static extern int Link(byte[] from, byte[] to);

    [DllImport("libc", EntryPoint = "rename", SetLastError = true)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static extern int Rename(byte[] from, byte[] to);
}
