using Transfer.Wan.Scenarios;

namespace Transfer.Wan.Runs;

/// <summary>The state of a server's tree behind an operation on it.</summary>
/// <param name="work">The operation.</param>
/// <param name="source">The near tree, of which the server's was a copy.</param>
/// <param name="target">The server's tree.</param>
/// <param name="files">The number of files.</param>
/// <param name="bytes">Their bytes.</param>
internal sealed class TreeState(TreeWork work, string source, string target, int files, long bytes)
{
    private static readonly TimeSpan Second = TimeSpan.FromSeconds(1);

    /// <summary>The first thing that is not as it is to be; null: all is.</summary>
    /// <param name="output">What the client printed.</param>
    public string? Difference(string output) => work switch
    {
        TreeWork.List => Missing(output),
        TreeWork.Sync => FolderComparison.Difference(source, target, Second),
        TreeWork.Delete => Entries().FirstOrDefault() is { } left ? $"{Path.GetRelativePath(target, left)} is still there" : null,
        _ => Entries().FirstOrDefault(entry => !HasMode(entry)) is { } other
            ? $"{Path.GetRelativePath(target, other)} has other permissions" : null,
    };

    /// <summary>The bytes of the files that are done, of an operation that was stopped.</summary>
    public long Done()
    {
        var done = work switch
        {
            TreeWork.Delete => files - Files().Count(),
            TreeWork.Modes => Files().Count(HasMode),
            // What was printed or compared leaves no trace.
            _ => 0,
        };
        return bytes / files * done;
    }

    private string? Missing(string output)
    {
        var printed = output.Split('\n').Where(line => line.Length > 0).Select(line => line[(line.LastIndexOf('/') + 1)..])
            .Select(line => line[(line.LastIndexOf(' ') + 1)..].TrimEnd()).ToHashSet(StringComparer.Ordinal);
        return Directory.EnumerateFiles(source, "*", SearchOption.AllDirectories).Select(Path.GetFileName)
            .FirstOrDefault(name => !printed.Contains(name!)) is { } missing ? $"{missing} was not printed" : null;
    }

    private IEnumerable<string> Entries() =>
        Directory.Exists(target) ? Directory.EnumerateFileSystemEntries(target, "*", SearchOption.AllDirectories) : [];

    private IEnumerable<string> Files() =>
        Directory.Exists(target) ? Directory.EnumerateFiles(target, "*", SearchOption.AllDirectories) : [];

    private static bool HasMode(string entry) => !OperatingSystem.IsWindows() && File.GetUnixFileMode(entry) == TreeWorks.Mode;
}
