using Transfer.ServerTests.Servers;

namespace Transfer.ServerTests;

/// <summary>What the server tests' launchers ask their host for: a folder that the servers' user can read. It goes when the process ends.</summary>
internal static class TestHost
{
    private static readonly Lazy<string> Made = new(Create);

    public static string Folder => Made.Value;

    private static string Create()
    {
        RemoveLeftovers();
        var folder = Path.Combine(Path.GetTempPath(), $"transfer-wan-{Environment.ProcessId}");
        Directory.CreateDirectory(folder);
        Shell.Run("chmod", "755", folder);
        AppDomain.CurrentDomain.ProcessExit += (_, _) => Directory.Delete(folder, recursive: true);
        return folder;
    }

    /// <summary>What a killed run left there goes now.</summary>
    private static void RemoveLeftovers()
    {
        foreach (var folder in Directory.EnumerateDirectories(Path.GetTempPath(), "transfer-wan-*"))
        {
            var owner = Path.GetFileName(folder).Split('-')[2];
            if (!Directory.Exists("/proc/" + owner)) Shell.Run("rm", "-rf", "--one-file-system", folder);
        }
    }
}
