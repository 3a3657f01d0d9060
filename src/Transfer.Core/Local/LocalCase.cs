using System.Security.Cryptography;

namespace Transfer.Local;

internal static class LocalCase
{
    /// <summary>
    /// Whether a folder's file system ignores case: asked by making a file, because it goes by the mount (or on Windows the folder),
    /// not by the system.
    /// </summary>
    public static bool IsIgnoredIn(string folder)
    {
        var name = $".transfer-{Convert.ToHexStringLower(RandomNumberGenerator.GetBytes(8))}-case.part";
        var probe = Path.Join(folder, name);
        try
        {
            using var file = new FileStream(probe, FileMode.CreateNew, FileAccess.Write, FileShare.Delete, 0, FileOptions.DeleteOnClose);
            return File.Exists(Path.Join(folder, name.ToUpperInvariant()));
        }
        catch (Exception e) when (LocalErrors.IsLocal(e))
        {
            // A folder that cannot be written to: the files will say so. Until then, what is usual here.
            return OperatingSystem.IsWindows() || OperatingSystem.IsMacOS();
        }
    }
}
