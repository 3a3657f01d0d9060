using Transfer.ServerTests.Servers;

namespace Transfer.ServerTests;

/// <summary>
/// What the server tests' launchers ask their host for: a folder that the servers' user can read. It goes when the process ends.
/// </summary>
internal static class TestHost
{
    public static string Folder { get; } = Create();

    private static string Create()
    {
        var folder = Directory.CreateTempSubdirectory("transfer-benchmarks-").FullName;
        Shell.Run("chmod", "755", folder);
        AppDomain.CurrentDomain.ProcessExit += (_, _) => Directory.Delete(folder, recursive: true);
        return folder;
    }
}
