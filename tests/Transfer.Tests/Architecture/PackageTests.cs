using System.Diagnostics;
using System.IO.Compression;
using System.Reflection;
using System.Runtime.CompilerServices;
using System.Xml.Linq;
using Transfer.Tests.Engine;

namespace Transfer.Tests.Architecture;

/// <summary>The packages that ship: each project in src/.</summary>
[TestFixture]
public sealed class PackageTests
{
    private static IEnumerable<string> Projects() =>
        Directory.EnumerateFiles(Path.Combine(Repository.Root, "src"), "*.csproj", SearchOption.AllDirectories).Select(path => Path.GetFileNameWithoutExtension(path)!);

    [TestCaseSource(nameof(Projects))]
    public async Task A_package_pins_the_other_packages_of_its_release_exactly(string project)
    {
        using var folder = new TempFolder();
        await PackAsync(project, folder.Path);
        using var package = ZipFile.OpenRead(Directory.EnumerateFiles(folder.Path, "*.nupkg").Single());
        using var content = package.Entries.Single(entry => entry.FullName == $"{project}.nuspec").Open();
        var nuspec = XDocument.Load(content);
        var version = Value(nuspec, "version");
        var pins = nuspec.Descendants().Where(element => element.Name.LocalName == "dependency")
            .Select(element => (Id: element.Attribute("id")!.Value, Version: element.Attribute("version")!.Value))
            .Where(dependency => Projects().Contains(dependency.Id));
        Assert.That(pins, Is.EquivalentTo(References(project).Select(id => (id, $"[{version}]"))));
    }

    [TestCaseSource(nameof(Projects))]
    public void A_package_opens_its_internals_to_no_other_package(string project)
    {
        var friends = Assembly.Load(project).GetCustomAttributes<InternalsVisibleToAttribute>().Select(friend => new AssemblyName(friend.AssemblyName).Name!);
        Assert.That(friends.Intersect(Projects()), Is.Empty, "packages share public surfaces: Transfer.Companions, Transfer.Local, Transfer.Sessions");
    }

    private static IEnumerable<string> References(string project) =>
        XDocument.Load(Path.Combine(Repository.Root, "src", project, $"{project}.csproj")).Descendants("ProjectReference")
            .Select(reference => Path.GetFileNameWithoutExtension(reference.Attribute("Include")!.Value));

    private static string Value(XDocument nuspec, string name) => nuspec.Descendants().Single(element => element.Name.LocalName == name).Value;

    // What the tests run with is built already, in this configuration.
    private static async Task PackAsync(string project, string folder)
    {
        var configuration = new DirectoryInfo(AppContext.BaseDirectory).Name;
        var start = new ProcessStartInfo(Environment.GetEnvironmentVariable("DOTNET_HOST_PATH") ?? "dotnet")
        {
            WorkingDirectory = Path.Combine(Repository.Root, "src", project),
            RedirectStandardOutput = true,
        };
        foreach (var argument in new[] { "pack", "--no-build", "-nologo", "-v", "q", "-c", configuration, "-o", folder }) start.ArgumentList.Add(argument);
        using var process = Process.Start(start)!;
        var output = await process.StandardOutput.ReadToEndAsync();
        await process.WaitForExitAsync();
        Assert.That(process.ExitCode, Is.Zero, output);
    }
}
