using System.CommandLine;
using System.Globalization;
using Transfer.Cli.Options;
using Transfer.Local;

namespace Transfer.Cli.Profiles;

/// <summary>The configuration: defaults for all servers, and named servers.</summary>
internal sealed class Configuration
{
    /// <summary>The section that is for all servers.</summary>
    public const string DefaultsName = "defaults";

    private Configuration(string? path, IReadOnlyList<ConfigEntry> defaults, IReadOnlyList<ServerProfile> profiles) =>
        (Path, Defaults, Profiles) = (path, defaults, profiles);

    /// <summary>No configuration.</summary>
    public static Configuration None { get; } = new(null, [], []);

    /// <summary>The file; null: there is no place for one. The file need not exist.</summary>
    public string? Path { get; }

    public IReadOnlyList<ConfigEntry> Defaults { get; }

    /// <summary>The named servers, in the order of the file.</summary>
    public IReadOnlyList<ServerProfile> Profiles { get; }

    /// <summary>Reads and checks the file.</summary>
    /// <param name="host">The environment and the user's folder.</param>
    /// <param name="options">The options.</param>
    /// <param name="known">All options of all verbs.</param>
    /// <exception cref="UsageException">The file is wrong somewhere; a file that the user has named is missing.</exception>
    public static Configuration Load(CommandHost host, CliOptions options, IEnumerable<Option> known)
    {
        var path = ConfigPlace.Find(host, out var isNamed);
        if (path is null || !isNamed && !DiskFiles.Exists(path)) return new Configuration(path, [], []);
        var (text, isPrivate) = ConfigFile.Read(path);
        var check = new ConfigCheck(path, host.HomeDirectory, isPrivate, options, known);
        var sections = new ConfigReader(path).Read(text);
        return new Configuration(path,
            [.. sections.Where(section => section.Name == DefaultsName).SelectMany(check.Defaults)],
            [.. sections.Where(section => section.Name != DefaultsName).Select(check.Profile)]);
    }

    /// <summary>The named server; null: there is none of the name.</summary>
    public ServerProfile? Find(string name) => Profiles.FirstOrDefault(profile => profile.Name == name);

    /// <summary>The named server.</summary>
    /// <exception cref="UsageException">There is none of the name.</exception>
    public ServerProfile Get(string name)
    {
        if (Find(name) is { } profile) return profile;
        var near = NearName.Of(name, Profiles.Select(one => one.Name)) is { } meant ? $"is @{meant} meant?"
            : Profiles.Count == 0 ? "It has none." : $"It has {string.Join(", ", Profiles.Take(10).Select(one => "@" + one.Name))}.";
        throw new UsageException(Path is null
            ? $"There is no profile '{name}': no configuration is used."
            : $"There is no profile '{name}' in {Path}; {near} (A path here of that name is ./@{name}.)");
    }

    /// <summary>The place of a section, for messages.</summary>
    public string PlaceOf(string section) => $"[{section}] in {Path}";

    /// <summary>The place of a line, for messages.</summary>
    public string PlaceOf(string section, int line) => string.Create(CultureInfo.InvariantCulture, $"[{section}] in {Path}, line {line}");
}
