using System.Reflection;
using System.Reflection.Metadata;
using System.Reflection.PortableExecutable;
using System.Xml.Linq;

namespace Transfer.PackageTests;

/// <summary>What a package shows of itself before it is installed, and brings along.</summary>
[TestFixture]
public sealed class ContentTests
{
    // Portable PDB, custom debug information: the source of a document.
    private static readonly Guid EmbeddedSource = new("0E8A571B-6926-466E-B4AD-8AB04611F5FE");

    private static IEnumerable<string> Packages() => Feed.Packages();

    private static IEnumerable<string> Libraries() => Feed.Libraries();

    [TestCaseSource(nameof(Packages))]
    public void A_package_introduces_itself(string package)
    {
        using var content = Feed.Open(package);
        var nuspec = Feed.ReadNuspec(Path.Combine(Feed.Folder, package));
        string Value(string name) => nuspec.Descendants().SingleOrDefault(element => element.Name.LocalName == name)?.Value ?? string.Empty;
        using var readme = new StreamReader(content.GetEntry(Value("readme"))!.Open());
        var text = readme.ReadToEnd();
        Assert.Multiple(() =>
        {
            Assert.That(text, Does.StartWith("# ").And.Contain("transfer").IgnoreCase);
            Assert.That(content.GetEntry(Value("icon")), Is.Not.Null, "icon");
            Assert.That(Value("license"), Is.EqualTo("MIT"));
            Assert.That(Value("tags").Split(' '), Does.Contain("sftp"));
            Assert.That(Value("description"), Is.Not.Empty);
            Assert.That(Value("releaseNotes"), Does.Contain("### ").And.Length.LessThan(35_000), "galleries take no more");
            Assert.That(Value("version"), Is.EqualTo(Feed.Version));
            Assert.That(nuspec.ToString(), Does.Not.Contain("example.com").And.Not.Contain("TODO"), "no placeholders");
        });
    }

    [TestCaseSource(nameof(Libraries))]
    public void A_library_pins_the_other_packages_of_its_release_exactly(string package)
    {
        var ours = Libraries().Select(name => name[..^$".{Feed.Version}.nupkg".Length]).ToHashSet();
        var pins =
            Feed.ReadNuspec(Path.Combine(Feed.Folder, package)).Descendants().Where(element => element.Name.LocalName == "dependency")
            .Select(element => (Id: element.Attribute("id")!.Value, Version: element.Attribute("version")!.Value))
            .Where(dependency => ours.Contains(dependency.Id)).ToList();
        Assert.That(pins.Select(pin => pin.Version), Has.All.EqualTo($"[{Feed.Version}]"));
        if (!package.StartsWith("Transfer.Core.", StringComparison.Ordinal))
            Assert.That(pins.Select(pin => pin.Id), Does.Contain("Transfer.Core"));
    }

    [TestCaseSource(nameof(Libraries))]
    public void A_library_documents_what_is_public_and_nothing_else(string package)
    {
        using var content = Feed.Open(package);
        var id = package[..^$".{Feed.Version}.nupkg".Length];
        using var file = content.GetEntry($"lib/net10.0/{id}.xml")!.Open();
        var members = XDocument.Load(file).Descendants("member").Select(member => (string)member.Attribute("name")!).ToList();
        var types = PublicTypes(Read(package, $"lib/net10.0/{id}.dll"));
        var documented = members.Where(member => member.StartsWith("T:", StringComparison.Ordinal)).Select(member => member[2..]).ToList();
        Assert.That(documented, Is.EquivalentTo(types));
    }

    [TestCaseSource(nameof(Libraries))]
    public void The_symbols_of_a_library_have_its_sources_under_paths_of_no_machine(string package)
    {
        var id = package[..^$".{Feed.Version}.nupkg".Length];
        using var assembly = new PEReader(Read(package, $"lib/net10.0/{id}.dll"));
        var directory = assembly.ReadDebugDirectory();
        using var symbols = assembly.ReadEmbeddedPortablePdbDebugDirectoryData(
            directory.Single(entry => entry.Type == DebugDirectoryEntryType.EmbeddedPortablePdb));
        var reader = symbols.GetMetadataReader();
        var sources = reader.Documents.Where(
            document =>
            reader.GetCustomDebugInformation(document).Any(
                info => reader.GetGuid(reader.GetCustomDebugInformation(info).Kind) == EmbeddedSource)).ToList();
        Assert.Multiple(() =>
        {
            Assert.That(reader.Documents.Select(document => reader.GetString(reader.GetDocument(document).Name)),
                Has.All.StartsWith("/_/"));
            Assert.That(sources, Has.Count.EqualTo(reader.Documents.Count), "each document's source is in the symbols");
            Assert.That(directory.Any(entry => entry.Type == DebugDirectoryEntryType.Reproducible), "the same sources give the same file");
        });
    }

    private static MemoryStream Read(string package, string entry)
    {
        using var content = Feed.Open(package);
        using var file = content.GetEntry(entry)!.Open();
        var copy = new MemoryStream();
        file.CopyTo(copy);
        copy.Position = 0;
        return copy;
    }

    private static List<string> PublicTypes(Stream assembly)
    {
        using var file = new PEReader(assembly);
        var metadata = file.GetMetadataReader();
        return [.. metadata.TypeDefinitions.Select(metadata.GetTypeDefinition).Where(
            type => (type.Attributes & TypeAttributes.VisibilityMask) == TypeAttributes.Public)
            .Select(type => $"{metadata.GetString(type.Namespace)}.{metadata.GetString(type.Name)}").Concat(
            metadata.TypeDefinitions.Select(metadata.GetTypeDefinition).Where(
                type => (type.Attributes & TypeAttributes.VisibilityMask) == TypeAttributes.NestedPublic)
                .Select(type => (Type: type, Outer: metadata.GetTypeDefinition(type.GetDeclaringType())))
                .Where(nested =>
                    (nested.Outer.Attributes & TypeAttributes.VisibilityMask) == TypeAttributes.Public)
                .Select(nested =>
                    $"{metadata.GetString(nested.Outer.Namespace)}.{metadata.GetString(nested.Outer.Name)}.{metadata.GetString(nested.Type.Name)}"))];
    }
}
