using System.Collections.Concurrent;
using Transfer.ServerTests.Servers;

namespace Transfer.Wan.Clients;

/// <summary>Where programs are: those that <c>./build.sh wan</c> unpacked first, then the system's.</summary>
internal static class Programs
{
    private static readonly ConcurrentDictionary<string, string?> Found = new();

    public static string? Find(string program) => Found.GetOrAdd(program, Search);

    private static string? Search(string program)
    {
        var unpacked = Path.Combine(ServerFiles.Repository, "artifacts", "servers");
        var path = Environment.GetEnvironmentVariable("PATH") ?? string.Empty;
        return new[] { Path.Combine(unpacked, "usr", "bin"), Path.Combine(unpacked, "usr", "sbin") }
            .Concat(path.Split(Path.PathSeparator, StringSplitOptions.RemoveEmptyEntries))
            .Select(folder => Path.Combine(folder, program))
            .FirstOrDefault(File.Exists);
    }
}
