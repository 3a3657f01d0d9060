using System.Diagnostics;
using System.Globalization;
using System.Runtime.InteropServices;
using System.Text.RegularExpressions;
using Transfer.ServerTests.Servers;
using Transfer.Wan.Clients;

namespace Transfer.Wan.Runs;

/// <summary>What a reader must know of the machine to compare figures; never its name.</summary>
internal static partial class MachineFacts
{
    private static readonly (string Name, string Program, string[] Arguments)[] Known =
    [
        ("vsftpd", "vsftpd", ["-v"]),
        ("ProFTPD", "proftpd", ["-v"]),
        ("Pure-FTPd", "pure-ftpd", ["--help"]),
        ("OpenSSH", "ssh", ["-V"]),
        ("lighttpd", "lighttpd", ["-v"]),
        ("lftp", "lftp", ["--version"]),
        ("curl", "curl", ["--version"]),
        ("rclone", "rclone", ["version"]),
        ("rsync", "rsync", ["--version"]),
        ("tar", "tar", ["--version"]),
        ("wget", "wget", ["--version"]),
        ("axel", "axel", ["--version"]),
    ];

    /// <summary>Processors by name and number, and memory.</summary>
    public static string Machine()
    {
        var model = OperatingSystem.IsLinux()
            ? File.ReadLines("/proc/cpuinfo").FirstOrDefault(line => line.StartsWith("model name", StringComparison.Ordinal))?.Split(
                ':')[1].Trim()
            : null;
        var memory = GC.GetGCMemoryInfo().TotalAvailableMemoryBytes / (double)(1 << 30);
        return string.Create(CultureInfo.InvariantCulture,
            $"{Environment.ProcessorCount} x {model ?? RuntimeInformation.ProcessArchitecture.ToString()}, {memory:0} GiB");
    }

    /// <summary>The kernel's version, without what its builder added.</summary>
    public static string Kernel() =>
        string.Create(CultureInfo.InvariantCulture,
            $"{(OperatingSystem.IsLinux() ? "Linux" : RuntimeInformation.OSDescription)} {Environment.OSVersion.Version}");

    /// <summary>
    /// The commit that is measured, with + where the tree has changes, but for the reports that are being written; null: not known.
    /// </summary>
    public static string? Commit()
    {
        if (Ask("git", ["-C", ServerFiles.Repository, "rev-parse", "--short=12", "HEAD"]) is not { Length: > 0 } commit) return null;
        return Ask("git",
            ["-C", ServerFiles.Repository, "status", "--porcelain", "--untracked-files=no", "--",
            ":(top,exclude)docs/reports"]) is { Length: > 0 } ? commit.Trim() + "+" : commit.Trim();
    }

    /// <summary>Versions of what takes part and is here.</summary>
    public static IReadOnlyDictionary<string, string> Versions()
    {
        var versions = new SortedDictionary<string, string>(StringComparer.Ordinal) { [".NET"] = Environment.Version.ToString() };
        foreach (var (name, program, arguments) in Known)
        {
            if (Programs.Find(program) is not { } path || Ask(path, arguments) is not { } said) continue;
            if (VersionNumber().Match(said) is { Success: true } number) versions[name] = number.Value;
        }

        return versions;
    }

    /// <summary>All that a program says, on either output; null: it could not be started.</summary>
    private static string? Ask(string program, string[] arguments)
    {
        // vsftpd writes to its standard input.
        var start = new ProcessStartInfo("sh",
            ["-c", "exec \"$@\" 2>&1 <&1", "sh", program, .. arguments])
        { RedirectStandardOutput = true };
        using var process = Process.Start(start);
        var said = process?.StandardOutput.ReadToEnd();
        process?.WaitForExit();
        return said;
    }

    [GeneratedRegex(@"\d+\.\d+[\w.]*")]
    private static partial Regex VersionNumber();
}
