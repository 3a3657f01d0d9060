using System.Globalization;

namespace Transfer.Cli.Profiles;

/// <summary>
/// Reads the lines of a configuration: <c>[SECTION]</c>, <c>KEY = VALUE</c>, remarks behind # or ; at the beginning of a line. A value is
/// the rest of its line; quotes around a value keep blanks at its ends.
/// </summary>
/// <param name="path">The file, for messages.</param>
internal sealed class ConfigReader(string path)
{
    /// <summary>Reads a text.</summary>
    /// <exception cref="UsageException">A line is none of these, or a section is there twice.</exception>
    public IReadOnlyList<ConfigSection> Read(string text)
    {
        var sections = new List<ConfigSection>();
        var number = 0;
        foreach (var raw in text.AsSpan().EnumerateLines())
        {
            number++;
            var line = raw.Trim();
            if (line.IsEmpty || line[0] is '#' or ';') continue;
            if (line[0] == '[') sections.Add(new ConfigSection(Section(line, number, sections), number, new List<ConfigEntry>()));
            else if (sections is [.., var last]) ((List<ConfigEntry>)last.Entries).Add(Entry(line, number));
            else throw At(number, "this line belongs to no section: [defaults] begins the one for all servers.");
        }

        return sections;
    }

    /// <summary>A problem of a line.</summary>
    public UsageException At(int line, string problem) =>
        new(string.Create(CultureInfo.InvariantCulture, $"{path}, line {line}: {problem}"));

    private string Section(ReadOnlySpan<char> line, int number, List<ConfigSection> before)
    {
        if (line[^1] != ']') throw At(number, "a section is [NAME], and nothing behind the bracket.");
        var name = line[1..^1].Trim().ToString();
        if (!IsName(name)) throw At(number, "a section has a name of letters, digits, and . _ - between them.");
        return before.Find(section => section.Name == name) is { } first
            ? throw At(number, string.Create(CultureInfo.InvariantCulture, $"[{name}] is there already, in line {first.Line}.")) : name;
    }

    // No message has a value: it may be a password that was put into the wrong place.
    private ConfigEntry Entry(ReadOnlySpan<char> line, int number)
    {
        var equals = line.IndexOf('=');
        if (equals <= 0) throw At(number, "a line is KEY = VALUE, with the name of an option as the key.");
        var key = line[..equals].TrimEnd().ToString();
        if (key.StartsWith('-')) throw At(number, $"a key has no dashes before it: {key.TrimStart('-')} = ...");
        var value = line[(equals + 1)..].TrimStart();
        if (value is ['"', .., '"']) value = value[1..^1];
        return value.IsEmpty ? throw At(number, $"{key} has no value.") : new ConfigEntry(key, value.ToString(), number);
    }

    private static bool IsName(string name) =>
        name.Length > 0 && char.IsAsciiLetterOrDigit(name[0]) && name.All(c => char.IsAsciiLetterOrDigit(c) || c is '.' or '_' or '-');
}
