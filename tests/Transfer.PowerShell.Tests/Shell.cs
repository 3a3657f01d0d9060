using System.Diagnostics;
using System.Reflection;

namespace Transfer.PowerShell.Tests;

/// <summary>A real pwsh, which the repository's tool manifest names.</summary>
internal static class Shell
{
    /// <summary>Not a measure of speed: what has not ended by then hangs.</summary>
    public static readonly TimeSpan Patience = TimeSpan.FromMinutes(4);

    // Once for fixtures that run beside each other.
    private static readonly Lazy<Task> Restored = new(() => RunAsync(["tool", "restore"], new Dictionary<string, string>()));

    /// <summary>The module's manifest.</summary>
    public static string Module => Metadata(nameof(Module));

    /// <summary>The assembly of the cmdlets.</summary>
    public static string Cmdlets => Metadata(nameof(Cmdlets));

    /// <summary>Pester's manifest.</summary>
    public static string Pester => Metadata(nameof(Pester));

    /// <summary>Has the tool there.</summary>
    public static Task RestoreAsync() => Restored.Value;

    /// <summary>Runs a script, and gives what it wrote.</summary>
    public static Task<string> RunScriptAsync(string path, IReadOnlyDictionary<string, string> environment, params string[] arguments) =>
        RunAsync(Script(path, arguments), environment);

    /// <summary>The arguments of dotnet that run a script.</summary>
    public static string[] Script(string path, params string[] arguments) =>
        ["tool", "run", "pwsh", "--", "-NoProfile", "-NonInteractive", "-File", path, .. arguments];

    /// <summary>How dotnet starts in the repository, with its output read here.</summary>
    public static ProcessStartInfo Start(string[] arguments)
    {
        var start = new ProcessStartInfo("dotnet", arguments)
        {
            RedirectStandardOutput = true,
            RedirectStandardError = true,
            WorkingDirectory = Metadata("Repository")
        };
        start.Environment["NO_COLOR"] = "1";
        start.Environment["POWERSHELL_TELEMETRY_OPTOUT"] = "1";
        return start;
    }

    private static async Task<string> RunAsync(string[] arguments, IReadOnlyDictionary<string, string> environment)
    {
        var start = Start(arguments);
        foreach (var (name, value) in environment) start.Environment[name] = value;
        using var process = Process.Start(start)!;
        try
        {
            var (output, errors) = (process.StandardOutput.ReadToEndAsync(), process.StandardError.ReadToEndAsync());
            using var patience = new CancellationTokenSource(Patience);
            var hasEnded = true;
            try
            {
                await process.WaitForExitAsync(patience.Token);
            }
            catch (OperationCanceledException)
            {
                // Ended here, so that what it has said tells where it hung.
                hasEnded = false;
                process.Kill(entireProcessTree: true);
            }
            var said = await output + await errors;
            Assert.That(hasEnded, said);
            Assert.That(process.ExitCode, Is.Zero, said);
            return said;
        }
        finally
        {
            if (!process.HasExited) process.Kill(entireProcessTree: true);
        }
    }

    /// <summary>What the project says of where things are.</summary>
    public static string Metadata(string key) =>
        typeof(Shell).Assembly.GetCustomAttributes<AssemblyMetadataAttribute>().Single(attribute => attribute.Key == key).Value!;
}
