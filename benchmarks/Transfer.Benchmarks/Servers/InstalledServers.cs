using Transfer.ServerTests.Servers;

namespace Transfer.Benchmarks.Servers;

/// <summary>Whether the servers of <c>./build.sh servers</c> are there and can be started.</summary>
internal static class InstalledServers
{
    /// <summary>Why they cannot be started; null: they can.</summary>
    public static string? WhyNot { get; } = Find();

    private static string? Find()
    {
        if (!Environment.IsPrivilegedProcess) return "they switch users, so only root can start them";
        try
        {
            ServerFiles.ThrowIfMissing();
            return null;
        }
        catch (InvalidOperationException missing)
        {
            return missing.Message;
        }
    }
}
