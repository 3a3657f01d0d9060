using System.Reflection;
using System.Runtime.CompilerServices;

namespace Transfer.Tests.Architecture;

/// <summary>The packages that ship.</summary>
[TestFixture]
public sealed class PackageTests
{
    private static IEnumerable<string> Projects() => Repository.Packages;

    [TestCaseSource(nameof(Projects))]
    public void A_package_opens_its_internals_to_no_other_package(string project)
    {
        var friends = Assembly.Load(project).GetCustomAttributes<InternalsVisibleToAttribute>().Select(
            friend => new AssemblyName(friend.AssemblyName).Name!);
        Assert.That(friends.Intersect(Projects()), Is.Empty,
            "packages share public surfaces: Transfer.Companions, Transfer.Local, Transfer.Sessions");
    }

    // A session's run is ended in two ways, which have their names: no more is taken, or all is given up.
    [TestCaseSource(nameof(Projects))]
    public void A_token_that_cancels_is_called_cancellationToken(string project)
    {
        const BindingFlags Declared = BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Instance | BindingFlags.Static
            | BindingFlags.DeclaredOnly;
        var others = from type in Assembly.Load(project).GetExportedTypes()
                     where !typeof(Delegate).IsAssignableFrom(type)
                     from method in type.GetMethods(Declared)
                     where method.IsPublic || method.IsFamily || method.IsFamilyOrAssembly
                     from parameter in method.GetParameters()
                     where parameter.ParameterType == typeof(CancellationToken) && parameter.Name is not ("cancellationToken" or "stop"
                         or "abort")
                     select $"{type.FullName}.{method.Name}: {parameter.Name}";
        Assert.That(others, Is.Empty);
    }
}
