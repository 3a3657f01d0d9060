using Transfer.ServerTests.Servers;

namespace Transfer.ServerTests;

/// <summary>
/// What the server tests' launchers ask their host for: a folder that the servers' user can read. It goes when the process ends.
/// </summary>
internal static class TestHost
{
    private const string Prefix = "transfer-wan-";
    private const string Memory = "/dev/shm";
    private const long EnoughMemory = 8L << 30;
    private static readonly Lazy<string> Made = new(Create);
    private static string _parent = Path.GetTempPath();

    public static string Folder => Made.Value;

    /// <summary>Puts it into memory where there is enough; to be called before it is first used.</summary>
    public static void PreferMemory()
    {
        if (Directory.Exists(Memory) && new DriveInfo(Memory).AvailableFreeSpace >= EnoughMemory) _parent = Memory;
    }

    private static string Create()
    {
        if (Environment.IsPrivilegedProcess) RemoveLeftovers();
        var folder =
            Directory.CreateDirectory(Path.Combine(_parent, FormattableString.Invariant($"{Prefix}{Environment.ProcessId}"))).FullName;
        Shell.Run("chmod", "755", folder);
        AppDomain.CurrentDomain.ProcessExit += (_, _) => Directory.Delete(folder, recursive: true);
        return folder;
    }

    /// <summary>What a killed run left goes now: mounts first, for sshd's folder is one.</summary>
    private static void RemoveLeftovers()
    {
        foreach (var folder in new[] { Path.GetTempPath(),
            Memory }.Where(Directory.Exists).SelectMany(parent => Directory.EnumerateDirectories(parent, Prefix + "*")))
        {
            if (Directory.Exists("/proc/" + folder[(folder.LastIndexOf('-') + 1)..])) continue;
            foreach (var mount in File.ReadAllLines("/proc/self/mounts").Select(line => line.Split(' ')[1]).Where(
                mount => mount.StartsWith(folder + "/", StringComparison.Ordinal)))
            {
                Shell.Run("umount", "--lazy", mount);
            }

            Shell.Run("rm", "-rf", "--one-file-system", folder);
        }
    }
}
