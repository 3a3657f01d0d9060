namespace Transfer.Cli.Tests;

/// <summary>
/// The command as tests start it, as a process: the published one in the folder that TRANSFER_COMMAND names, or the one beside the tests.
/// </summary>
internal static class CommandProgram
{
    public static string Path { get; } = System.IO.Path.Join(
        Environment.GetEnvironmentVariable("TRANSFER_COMMAND") is { Length: > 0 } published ? published : AppContext.BaseDirectory,
        OperatingSystem.IsWindows() ? "transfer.exe" : "transfer");
}
