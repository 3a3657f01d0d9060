using Transfer.Cli.Output;
using Transfer.Cli.Profiles;
using Transfer.Local;

namespace Transfer.Cli.Commands.Scripts.Shell;

/// <summary>
/// The lines of earlier shells, in a file of the user's alone: a thousand are read, and none is kept that begins with a blank or holds a
/// password. A file that cannot be read or written is said once, and ends nothing.
/// </summary>
internal sealed class ShellHistory
{
    private const int Most = 1000;
    private const UnixFileMode Private = UnixFileMode.UserRead | UnixFileMode.UserWrite;

    private readonly List<string> _lines = [];
    private readonly Messages _messages;
    private readonly string? _path;

    /// <summary>Reads the lines.</summary>
    /// <param name="folder">The folder of the file; null: lines are kept while the shell runs.</param>
    /// <param name="messages">Receives failures.</param>
    public ShellHistory(string? folder, Messages messages)
    {
        _messages = messages;
        _path = folder is null ? null : Path.Combine(folder, "history");
        if (!File.Exists(_path)) return;
        Try(() =>
        {
            _lines.AddRange(File.ReadAllLines(_path, NameEncoding.LosslessUtf8));
            if (_lines.Count <= Most) return;
            _lines.RemoveRange(0, _lines.Count - Most);
            Write(FileMode.Create, _lines);
        });
    }

    /// <summary>The oldest first.</summary>
    public IReadOnlyList<string> Lines => _lines;

    /// <summary>Takes a line.</summary>
    public void Add(string line)
    {
        var isSecret = OptionText.CommandLine(line.Split(' ')) != "transfer " + line;
        if (line.Length == 0 || line[0] == ' ' || isSecret || _lines.Count > 0 && _lines[^1] == line) return;
        _lines.Add(line);
        if (_path is not null) Try(() => Write(FileMode.Append, [line]));
    }

    private void Write(FileMode mode, IEnumerable<string> lines)
    {
        Directory.CreateDirectory(Path.GetDirectoryName(_path!)!);
        var options = new FileStreamOptions { Mode = mode, Access = FileAccess.Write };
        if (!OperatingSystem.IsWindows()) options.UnixCreateMode = Private;
        using var writer = new StreamWriter(_path!, NameEncoding.LosslessUtf8, options);
        foreach (var line in lines) writer.Write(line + "\n");
    }

    private void Try(Action act)
    {
        try
        {
            act();
        }
        catch (Exception e) when (LocalErrors.IsLocal(e))
        {
            _messages.Warning($"the lines of shells cannot be kept in {_path}: {LocalErrors.Describe(e)}");
        }
    }
}
