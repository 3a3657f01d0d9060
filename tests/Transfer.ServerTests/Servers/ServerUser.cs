using System.Globalization;
using System.Runtime.InteropServices;
using System.Text;

namespace Transfer.ServerTests.Servers;

/// <summary>
/// The system user that the servers serve files as: one that every Debian has, whose home exists (vsftpd insists) and that owns nothing.
/// </summary>
internal static class ServerUser
{
    public const string Name = "daemon";

    public static int Uid { get; } = Id("-u");

    public static int Gid { get; } = Id("-g");

    /// <summary>Gives it a file, or a folder with all that is in it. Links are changed, not followed.</summary>
    public static void Own(string path)
    {
        Change(path);
        if (!Directory.Exists(path) || new FileInfo(path).LinkTarget is not null) return;
        foreach (var entry in Directory.EnumerateFileSystemEntries(path)) Own(entry);
    }

    private static void Change(string path)
    {
        if (lchown(Encoding.UTF8.GetBytes(path + '\0'), Uid, Gid) != 0)
            throw new IOException($"{path} could not be given to {Name}: {Marshal.GetLastPInvokeErrorMessage()}");
    }

    private static int Id(string what) => int.Parse(Shell.Run("id", what, Name), CultureInfo.InvariantCulture);

    [DllImport("libc", SetLastError = true)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static extern int lchown(byte[] path, int user, int group);
}
