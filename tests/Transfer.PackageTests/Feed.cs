using System.Diagnostics;
using System.IO.Compression;
using System.Xml.Linq;

namespace Transfer.PackageTests;

/// <summary>What <c>./build.sh pack</c> has made: TRANSFER_PACKAGES names the folder.</summary>
internal static class Feed
{
    public static string Folder { get; } = Environment.GetEnvironmentVariable("TRANSFER_PACKAGES")
        ?? throw new InvalidOperationException("TRANSFER_PACKAGES must name the folder of ./build.sh pack: ./build.sh test sets it.");

    /// <summary>The repository that the tests were built in.</summary>
    public static string Repository { get; } = FindRepository();

    /// <summary>The one version of all of them.</summary>
    public static string Version { get; } = ReadNuspec(Directory.EnumerateFiles(Folder, "Transfer.Core.*.nupkg").Single()).Descendants()
        .First(element => element.Name.LocalName == "version").Value;

    public static IEnumerable<string> Packages() =>
        Directory.EnumerateFiles(Folder, "*.nupkg").Select(path => Path.GetFileName(path)!).Order(StringComparer.Ordinal);

    /// <summary>Those that programs reference.</summary>
    public static IEnumerable<string> Libraries() => Packages().Where(name => name.StartsWith("Transfer.", StringComparison.Ordinal));

    public static ZipArchive Open(string package) => ZipFile.OpenRead(Path.Combine(Folder, package));

    public static XDocument ReadNuspec(string path)
    {
        using var package = ZipFile.OpenRead(path);
        using var content = package.Entries.Single(entry => entry.FullName.EndsWith(".nuspec", StringComparison.Ordinal)).Open();
        return XDocument.Load(content);
    }

    private static string FindRepository()
    {
        for (var directory = new DirectoryInfo(AppContext.BaseDirectory); directory is not null; directory = directory.Parent)
        {
            if (File.Exists(Path.Combine(directory.FullName, "Transfer.slnx"))) return directory.FullName;
        }

        throw new InvalidOperationException($"No Transfer.slnx above {AppContext.BaseDirectory}.");
    }

    /// <summary>Runs a program to its end.</summary>
    /// <returns>All that it said.</returns>
    public static async Task<(int Code, string Output)> RunAsync(string folder, string program, params IEnumerable<string> arguments)
    {
        var start = new ProcessStartInfo(program)
        {
            WorkingDirectory = folder,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
            RedirectStandardInput = true
        };
        foreach (var argument in arguments) start.ArgumentList.Add(argument);
        // No node of this build may stay behind, and no setting of the one that runs the tests may reach it.
        foreach (var name in start.Environment.Keys.Where(
            name => name.StartsWith("MSBUILD", StringComparison.OrdinalIgnoreCase) || name.StartsWith("VSTEST", StringComparison.Ordinal))
            .ToList())
        {
            start.Environment.Remove(name);
        }

        start.Environment["MSBUILDDISABLENODEREUSE"] = "1";
        start.Environment["UseSharedCompilation"] = "false";
        start.Environment["CI"] = "false";
        using var process = Process.Start(start)!;
        process.StandardInput.Close();
        var output = process.StandardOutput.ReadToEndAsync();
        var errors = process.StandardError.ReadToEndAsync();
        using var limit = new CancellationTokenSource(TimeSpan.FromMinutes(10));
        try
        {
            await process.WaitForExitAsync(limit.Token);
        }
        catch (OperationCanceledException)
        {
            process.Kill(entireProcessTree: true);
            throw new TimeoutException($"{program} {string.Join(' ', arguments)} did not end.");
        }

        return (process.ExitCode, await output + await errors);
    }
}
