using System.Reflection;
using System.Reflection.Metadata;
using System.Reflection.PortableExecutable;
using System.Text.RegularExpressions;
using System.Xml.Linq;

namespace Transfer.PackageTests;

/// <summary>What a package shows of itself before it is installed, and brings along.</summary>
[TestFixture]
public sealed partial class ContentTests
{
    // Portable PDB, custom debug information: the source of a document, and the addresses of all documents' sources.
    private static readonly Guid EmbeddedSource = new("0E8A571B-6926-466E-B4AD-8AB04611F5FE");
    private static readonly Guid SourceLink = new("CC110556-A091-4D38-9FEC-25AB9A351A6A");

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
            Assert.That(text, Does.Match("(?m)^(```| {4}\\S)"), "code");
            Assert.That(text, Does.Contain("](https://").And.Not.Match(@"\]\((?!https://)"), "links that lead somewhere from a gallery");
            Assert.That(content.GetEntry(Value("icon")), Is.Not.Null, "icon");
            Assert.That(Value("license"), Is.EqualTo("MIT"));
            Assert.That(Value("tags").Split(' '), Does.Contain("sftp"));
            Assert.That(Value("description"), Is.Not.Empty);
            Assert.That(Value("releaseNotes").ReplaceLineEndings("\n"), Is.EqualTo(NewestSection()).And.Length.LessThan(35_000),
                "whole, and no longer than galleries take");
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
        var surface = PublicMembers(Read(package, $"lib/net10.0/{id}.dll"));
        var others = members.Where(member => !member.StartsWith("T:", StringComparison.Ordinal)).ToArray();
        Assert.That(others, Is.Not.Empty);
        Assert.That(others.Where(member => !surface.Contains(NameOf(member))), Is.Empty, "members that applications can't reach");
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
        var sources = reader.Documents.Where(document => Kinds(reader, document).Contains(EmbeddedSource)).ToList();
        Assert.Multiple(() =>
        {
            Assert.That(reader.Documents.Select(document => reader.GetString(reader.GetDocument(document).Name)),
                Has.All.StartsWith("/_/"));
            if (HasRepository(package))
                Assert.That(Kinds(reader, EntityHandle.ModuleDefinition), Does.Contain(SourceLink), "the sources' addresses");
            else
                Assert.That(sources, Has.Count.EqualTo(reader.Documents.Count), "each document's source is in the symbols");
            Assert.That(directory.Any(entry => entry.Type == DebugDirectoryEntryType.Reproducible), "the same sources give the same file");
        });
    }

    private static IEnumerable<Guid> Kinds(MetadataReader symbols, EntityHandle parent) =>
        symbols.GetCustomDebugInformation(parent).Select(info => symbols.GetGuid(symbols.GetCustomDebugInformation(info).Kind));

    private static bool HasRepository(string package) =>
        Feed.ReadNuspec(Path.Combine(Feed.Folder, package)).Descendants().Any(
            element => element.Name.LocalName == "repository" && !string.IsNullOrEmpty(element.Attribute("url")?.Value));

    private static string NewestSection() =>
        Section().Match(File.ReadAllText(Path.Combine(Feed.Repository, "CHANGELOG.md")).ReplaceLineEndings("\n")).Value.TrimEnd();

    // M:Transfer.TransferClient.PingAsync(System.Threading.CancellationToken) is Transfer.TransferClient.PingAsync.
    private static string NameOf(string member) => member[2..].Split('(', '~')[0].Split("``")[0];

    // Overloads are not told apart.
    private static HashSet<string> PublicMembers(Stream assembly)
    {
        var types = PublicTypes(assembly).ToHashSet();
        assembly.Position = 0;
        using var file = new PEReader(assembly, PEStreamOptions.LeaveOpen);
        var metadata = file.GetMetadataReader();
        var members = new HashSet<string>();
        foreach (var type in metadata.TypeDefinitions.Select(metadata.GetTypeDefinition))
        {
            var name = FullName(metadata, type);
            if (!types.Contains(name)) continue;
            members.UnionWith(type.GetFields().Select(metadata.GetFieldDefinition).Where(field => IsReachable((int)field.Attributes))
                .Select(field => $"{name}.{metadata.GetString(field.Name)}"));
            members.UnionWith(type.GetMethods().Select(metadata.GetMethodDefinition).Where(method => IsReachable((int)method.Attributes))
                .Select(method => $"{name}.{metadata.GetString(method.Name).Replace('.', '#')}"));
        }

        // Properties and events are reachable by their accessors.
        foreach (var accessor in members.Where(member => Accessor().IsMatch(member)).ToArray())
            members.Add(Accessor().Replace(accessor, "."));
        return members;
    }

    // Public, protected, protected internal: the access masks of fields and methods are alike (ECMA-335, II.23.1.5 and II.23.1.10).
    private static bool IsReachable(int attributes) =>
        (MethodAttributes)(attributes & (int)MethodAttributes.MemberAccessMask) is MethodAttributes.Public or MethodAttributes.Family
        or MethodAttributes.FamORAssem;

    private static string FullName(MetadataReader metadata, TypeDefinition type)
    {
        var outer = type.GetDeclaringType();
        var scope = outer.IsNil ? metadata.GetString(type.Namespace) : FullName(metadata, metadata.GetTypeDefinition(outer));
        return $"{scope}.{metadata.GetString(type.Name)}";
    }

    [GeneratedRegex(@"(?<=\n)## (?:(?!\n## ).)*", RegexOptions.Singleline)]
    private static partial Regex Section();

    [GeneratedRegex(@"\.(get_|set_|add_)(?=[^.]+$)")]
    private static partial Regex Accessor();

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
        using var file = new PEReader(assembly, PEStreamOptions.LeaveOpen);
        var metadata = file.GetMetadataReader();
        return
        [
            .. metadata.TypeDefinitions.Select(metadata.GetTypeDefinition).Where(type => IsPublic(metadata, type))
                .Select(type => FullName(metadata, type)),
        ];
    }

    private static bool IsPublic(MetadataReader metadata, TypeDefinition type) => (type.Attributes & TypeAttributes.VisibilityMask) switch
    {
        TypeAttributes.Public => true,
        TypeAttributes.NestedPublic => IsPublic(metadata, metadata.GetTypeDefinition(type.GetDeclaringType())),
        _ => false,
    };
}
