using System.Reflection;
using System.Runtime.CompilerServices;
using System.Text.RegularExpressions;

namespace Transfer.Tests.Architecture;

/// <summary>
/// The types that ship stay small: below 500 lines over all files of a type, comments included and usings not, and at most 12 instance
/// fields that change. A field counts that is not
/// <c>readonly</c>, the one behind a property with a <c>set</c> too. Not counted are fields behind <c>init</c>, parameters of primary
/// constructors, constants and statics, and
/// those that the compiler makes: closures, and the states of async methods.
/// </summary>
public sealed partial class TypeSizeTests
{
    private const int MostLines = 499;
    private const int MostMutableFields = 12;

    private static readonly IReadOnlyList<string> Shipped = Repository.Packages;

    // What the public API says of itself is in the type: its text does not count.
    private static readonly string[] Documented = ["src/Transfer.Core/TransferClient"];

    [Test]
    public void No_type_has_500_lines()
    {
        var sizes = Sizes();
        Assert.That(sizes, Has.Count.GreaterThan(500));
        var large = sizes.Where(size => size.Value > MostLines).Select(size => $"{size.Key}: {size.Value} lines");
        Assert.That(large, Is.Empty, "split it along a seam: a class that owns its state");
    }

    [Test]
    public void No_type_has_more_than_12_fields_that_change()
    {
        var types = Shipped.SelectMany(project => Assembly.Load(project).GetTypes()).Where(type => !IsGenerated(type)).ToList();
        Assert.That(types, Has.Count.GreaterThan(500));
        var changing =
            types.Select(type => (Name: type.FullName!, Fields: MutableFields(type))).Where(type => type.Fields.Length > MostMutableFields)
            .Select(type => $"{type.Name}: {type.Fields.Length} ({string.Join(", ", type.Fields)})");
        Assert.That(string.Join('\n', changing), Is.Empty, "make them readonly, or give a part of them to a class of its own");
    }

    [Test]
    public void What_counts_is_what_can_change() =>
        Assert.That(MutableFields(typeof(Counted)), Is.EquivalentTo(new[] { "_changes", "Changes" }));

    private static string[] MutableFields(Type type) =>
    [
        .. type.GetFields(BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.DeclaredOnly)
            .Where(field => !field.IsInitOnly && !IsBehindInit(type, field) && !Captured.IsMatch(field.Name))
            .Select(field => Backing.Match(field.Name) is { Success: true } match ? match.Groups[1].Value : field.Name),
    ];

    private static bool IsBehindInit(Type type, FieldInfo field) =>
        Backing.Match(field.Name) is { Success: true } match
        && type.GetProperty(match.Groups[1].Value,
            BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.DeclaredOnly) is { SetMethod: { } set }
        && set.ReturnParameter.GetRequiredCustomModifiers().Contains(typeof(IsExternalInit));

    private static bool IsGenerated(Type type) =>
        type.FullName!.Contains('<', StringComparison.Ordinal) || type.GetCustomAttribute<CompilerGeneratedAttribute>() is not null
        || type.IsEnum || type.IsSubclassOf(typeof(System.Text.Json.Serialization.JsonSerializerContext));

    // One type a file; the files of a partial one are in one folder.
    private static Dictionary<string, int> Sizes()
    {
        var sizes = new Dictionary<string, int>();
        foreach (var project in Shipped)
        {
            var root = Path.Join(Repository.Root, "src", project);
            foreach (var path in Directory.EnumerateFiles(root, "*.cs", SearchOption.AllDirectories))
            {
                var name = Path.GetRelativePath(Repository.Root, path).Replace('\\', '/');
                if (name.Contains("/obj/", StringComparison.Ordinal) || name.Contains("/bin/", StringComparison.Ordinal)) continue;
                var type = $"{name[..(name.LastIndexOf('/') + 1)]}{Path.GetFileName(name).Split('.')[0]}";
                var skipsText = Documented.Contains(type);
                sizes[type] = sizes.GetValueOrDefault(type) + File.ReadLines(path).Count(line =>
                    !line.StartsWith("using ", StringComparison.Ordinal)
                        && !(skipsText && line.TrimStart().StartsWith("///", StringComparison.Ordinal)));
            }
        }
        return sizes;
    }

    [GeneratedRegex("^<(.+)>k__BackingField$")]
    private static partial Regex Backing { get; }

    [GeneratedRegex("^<.+>P$")]
    private static partial Regex Captured { get; }

    private sealed class Counted(int captured)
    {
        private readonly int _stays = 1;
        private int _changes;

        public int Stays => _stays + captured;

        public int Initial { get; init; }

        public int Given { get; } = 1;

        public int Changes { get; set; }

        public int Change() => ++_changes;
    }
}
