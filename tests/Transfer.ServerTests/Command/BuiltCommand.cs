using Transfer.ServerTests.Servers;

namespace Transfer.ServerTests.Command;

/// <summary>
/// Where the <c>transfer</c> is that these tests run: in TRANSFER_COMMAND, as <c>./build.sh test</c> compiles it ahead, else as it was
/// built with them.
/// </summary>
internal static class BuiltCommand
{
    /// <summary>The folder that it is in.</summary>
    // The same configuration as these tests: artifacts/bin/<project>/<configuration>/.
    public static string Folder { get; } = Environment.GetEnvironmentVariable("TRANSFER_COMMAND")
        ?? Path.Combine(ServerFiles.Repository, "artifacts", "bin", "Transfer.Cli", new DirectoryInfo(AppContext.BaseDirectory).Name);

    /// <summary>The program.</summary>
    public static string Program { get; } = Path.Combine(Folder, "transfer");
}
