using System.Text.Json;
using Transfer.ServerTests.Servers;

namespace Transfer.ServerTests.Foreign.Servers;

/// <summary>The programs of ours that start servers which are libraries: one script each, in Python or JavaScript.</summary>
internal static class Launcher
{
    private const string Python = "/usr/bin/python3";

    private static string Folder => Path.Combine(ServerFiles.Repository, "tests", "Transfer.ServerTests", "Foreign", "Launchers");

    /// <summary>Starts one. A missing library is an error of the script, in the log that the failed start shows.</summary>
    public static ServerProcess Start(string script, string log, LauncherSettings settings)
    {
        var arguments = new[] { Path.Combine(Folder, script), JsonSerializer.Serialize(settings, JsonSerializerOptions.Web) };
        return script.EndsWith(".py", StringComparison.Ordinal)
            ? ServerProcess.Start(log, Python, arguments, new Dictionary<string, string>
            {
                ["PYTHONPATH"] = ServerFiles.PythonPackages,
                ["PYTHONDONTWRITEBYTECODE"] = "1",
                ["PYTHONUNBUFFERED"] = "1",
            })
            : ServerProcess.Start(log, "node", arguments, new Dictionary<string, string> { ["NODE_PATH"] = ServerFiles.NodePackages });
    }
}
