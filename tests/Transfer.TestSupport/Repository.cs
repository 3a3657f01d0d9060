using System.Xml.Linq;

namespace Transfer.TestSupport;

/// <summary>
/// The checkout that the tests run in, found from the built assembly: the path that compilers know is the same on all machines in CI.
/// </summary>
internal static class Repository
{
    public static string Root { get; } = Find();

    /// <summary>
    /// The names of the libraries that ship as packages, which are those of their assemblies too. Those that other registries' packages are
    /// needed for are built apart, and not in the
    /// solution.
    /// </summary>
    public static IReadOnlyList<string> Packages { get; } =
    [
        .. XDocument.Load(Path.Combine(Root, "Transfer.slnx")).Descendants("Project").Select(project => project.Attribute("Path")!.Value)
            .Where(path =>
                path.StartsWith("src/", StringComparison.Ordinal)
                    && !File.ReadAllText(Path.Combine(Root, path)).Contains("<IsPackable>false", StringComparison.Ordinal))
            .Select(path => Path.GetFileNameWithoutExtension(path)!),
    ];

    private static string Find()
    {
        for (var directory = new DirectoryInfo(AppContext.BaseDirectory); directory is not null; directory = directory.Parent)
        {
            if (File.Exists(Path.Combine(directory.FullName, "Transfer.slnx"))) return directory.FullName;
        }

        throw new InvalidOperationException($"No Transfer.slnx above {AppContext.BaseDirectory}: run the tests inside the repository.");
    }
}
