using System.Reflection;
using System.Runtime.CompilerServices;

namespace Transfer.Tests.Architecture;

/// <summary>The packages that ship: each project in src/.</summary>
[TestFixture]
public sealed class PackageTests
{
    private static IEnumerable<string> Projects() =>
        Directory.EnumerateFiles(Path.Combine(Repository.Root, "src"), "*.csproj", SearchOption.AllDirectories).Select(path => Path.GetFileNameWithoutExtension(path)!);

    [TestCaseSource(nameof(Projects))]
    public void A_package_opens_its_internals_to_no_other_package(string project)
    {
        var friends = Assembly.Load(project).GetCustomAttributes<InternalsVisibleToAttribute>().Select(friend => new AssemblyName(friend.AssemblyName).Name!);
        Assert.That(friends.Intersect(Projects()), Is.Empty, "packages share public surfaces: Transfer.Companions, Transfer.Local, Transfer.Sessions");
    }
}
