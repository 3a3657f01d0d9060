using System.Reflection;
using BenchmarkDotNet.Attributes;
using Transfer.Benchmarks.Servers;

namespace Transfer.Benchmarks;

/// <summary>Finds the suites of this assembly.</summary>
internal static class Suites
{
    /// <summary>Every suite whose server, if it needs a real one, can be started here; says which are left out, and why.</summary>
    public static Type[] ThatCanRun(TextWriter notes)
    {
        var all = typeof(Suites).Assembly.GetTypes().Where(IsSuite).OrderBy(type => type.FullName, StringComparer.Ordinal).ToArray();
        if (InstalledServers.WhyNot is not { } reason) return all;
        notes.WriteLine($"Without real servers: {reason}");
        foreach (var suite in all.Where(NeedsServer)) notes.WriteLine($"Skipped: {suite.Name}");
        return [.. all.Where(suite => !NeedsServer(suite))];
    }

    private static bool IsSuite(Type type) =>
        type is { IsAbstract: false, IsPublic: true }
        && type.GetMethods().Any(method => method.GetCustomAttribute<BenchmarkAttribute>() is not null);

    private static bool NeedsServer(Type suite) => suite.GetCustomAttribute<NeedsServerAttribute>() is not null;
}
