using System.CommandLine;
using Transfer.Cli.Credentials;
using Transfer.Cli.Options;
using Transfer.Local;

namespace Transfer.Cli.Profiles;

/// <summary>Checks the sections of a configuration: keys are options, values fit them as far as that is known without a run.</summary>
internal sealed class ConfigCheck
{
    private const string UrlKey = "url";

    private readonly ConfigReader _reader;
    private readonly string _folder;
    private readonly string _home;
    private readonly bool _isPrivate;
    private readonly Dictionary<string, Option> _options;
    private readonly HashSet<string> _ftpOnly;
    private readonly HashSet<string> _sftpOnly;

    /// <summary>Makes the check of a file.</summary>
    /// <param name="path">The file.</param>
    /// <param name="home">The user's folder.</param>
    /// <param name="isPrivate">Only the owner can read the file.</param>
    /// <param name="options">The options.</param>
    /// <param name="known">All options of all verbs.</param>
    public ConfigCheck(string path, string home, bool isPrivate, CliOptions options, IEnumerable<Option> known)
    {
        (_reader, _folder, _home, _isPrivate) = (new ConfigReader(path), Path.GetDirectoryName(path)!, home, isPrivate);
        IEnumerable<Option> ofSides = [.. options.From.All, .. options.To.All];
        _options = known.Where(option => OptionRules.IsConfigurable(options, option)).Except(ofSides)
            .DistinctBy(option => option.Name).ToDictionary(OptionRules.KeyOf);
        _ftpOnly = [.. options.FtpOnly.Select(OptionRules.KeyOf)];
        _sftpOnly = [.. options.SftpOnly.Select(OptionRules.KeyOf)];
    }

    /// <summary>The lines for all servers.</summary>
    /// <exception cref="UsageException">A line is wrong.</exception>
    public IReadOnlyList<ConfigEntry> Defaults(ConfigSection section)
    {
        if (section.Entries.FirstOrDefault(entry => OptionRules.IsOfOneServer(entry.Key) || entry.Key == UrlKey) is { } entry)
            throw _reader.At(entry.Line, $"{entry.Key} is for one server: put it into the section of that.");
        return Options(section);
    }

    /// <summary>The named server of a section.</summary>
    /// <exception cref="UsageException">A line is wrong, or the URL is missing.</exception>
    public ServerProfile Profile(ConfigSection section)
    {
        var url = section.Entries.FirstOrDefault(entry => entry.Key == UrlKey)
            ?? throw _reader.At(section.Line, $"[{section.Name}] has no url.");
        var password = section.Entries.FirstOrDefault(entry => entry.Key == OptionRules.Password);
        var profile = Make(section, url, password);
        if (password is not null) CheckPrivate(password);
        if (profile.Url.Password is not null) CheckPrivate(url);
        if (password is not null && profile.Url.Password is not null)
            throw _reader.At(password.Line, "the URL of this section has a password already.");
        var (wrong, kind) = profile.Url.IsSftp ? (_ftpOnly, "for FTP, and the URL is sftp:") : (_sftpOnly, "for sftp: only");
        if (profile.Entries.FirstOrDefault(entry => wrong.Contains(entry.Key)) is { } other)
            throw _reader.At(other.Line, $"{other.Key} is {kind}.");
        return profile;
    }

    private ServerProfile Make(ConfigSection section, ConfigEntry url, ConfigEntry? password)
    {
        var options = Options(section with { Entries = [.. section.Entries.Where(entry => entry != url && entry != password)] });
        ServerProfile profile;
        try
        {
            profile = new ServerProfile(section.Name, url.Value, password is null ? null : new StoredSecret(password.Value), options);
        }
        catch (UsageException e)
        {
            throw _reader.At(url.Line, e.Message);
        }

        return profile.Url.IsFile || profile.Url.Pattern is not null
            ? throw _reader.At(url.Line, "url wants a server and a folder there, and no pattern.") : profile;
    }

    // As ssh does with a private key: a secret that others can read is none.
    private void CheckPrivate(ConfigEntry entry)
    {
        if (_isPrivate) return;
        throw _reader.At(entry.Line,
            "a password is refused in a file that others can read: chmod 600 makes it yours alone, or password-command, password-file or "
            + "password-env names where the password is.");
    }

    private List<ConfigEntry> Options(ConfigSection section)
    {
        var entries = new List<ConfigEntry>();
        foreach (var entry in section.Entries)
        {
            if (!_options.TryGetValue(entry.Key, out var option)) throw _reader.At(entry.Line, Unknown(entry.Key));
            if (option is not Option<string[]> && entries.Exists(other => other.Key == entry.Key))
                throw _reader.At(entry.Line, $"{entry.Key} is there twice in [{section.Name}].");
            entries.Add(entry with { Value = Checked(option, entry) });
        }

        return entries;
    }

    private string Unknown(string key) =>
        key is UrlKey or OptionRules.Password ? $"{key} is there twice."
        : NearName.Of(key, _options.Keys.Append(UrlKey)) is { } near ? $"there is no option {key}; is {near} meant?"
        : $"there is no option {key}; transfer VERB --help lists those of a verb.";

    private string Checked(Option option, ConfigEntry entry)
    {
        if (option is Option<bool>)
        {
            return SwitchText.Parse(entry.Value) is { } isOn ? isOn ? "true" : "false"
                : throw _reader.At(entry.Line, $"{entry.Key} is a switch, and wants true or false.");
        }

        var shape = OptionEntry.Of(option);
        if (shape.IsChoice && !shape.Choices.Contains(entry.Value))
        {
            var near = NearName.Of(entry.Value, shape.Choices) is { } meant ? $"; is {meant} meant?" : ".";
            throw _reader.At(entry.Line, $"{entry.Key} wants {string.Join(", ", shape.Choices)}{near}");
        }

        return FileOf(shape, entry.Value) ?? entry.Value;
    }

    // The file here that a value names; null: it names none. A key may be a file, or the key itself.
    private string? FileOf(OptionEntry shape, string value)
    {
        var kinds = shape.Value?.Split('|') ?? [];
        if (kinds.Contains("FILE")) return IsWord(kinds, value) ? null : FullPath(value);
        return kinds.Contains("KEY") && FullPath(value) is var path && DiskFiles.Exists(path) ? path : null;
    }

    // Beside files, an option may take a word of its own: none, or - for standard input.
    private static bool IsWord(string[] kinds, string value) => value == "-" || kinds.Contains(value);

    // A run begins in any folder, so that only the file's own is a place to begin at.
    private string FullPath(string value) => value == "~" ? _home
        : value.StartsWith("~/", StringComparison.Ordinal) ? Path.Combine(_home, value[2..]) : Path.Combine(_folder, value);
}
