using System.Globalization;

namespace Transfer.Sftp.Keys.Config;

/// <summary>The settings that apply to one host, in order: the first of a keyword counts.</summary>
internal sealed class ConfigValues
{
    private readonly Dictionary<string, List<SshConfigLine>> _lines = [];
    private readonly List<SshConfigLine> _order = [];

    public void Add(SshConfigLine line)
    {
        _order.Add(line);
        if (!_lines.TryGetValue(line.Keyword, out var same)) _lines.Add(line.Keyword, same = []);
        if (!same.Contains(line)) same.Add(line);
    }

    /// <summary>Every line of a keyword.</summary>
    public IReadOnlyList<SshConfigLine> All(string keyword) => _lines.GetValueOrDefault(keyword) ?? [];

    /// <summary>True when the first of the two lines stands before the other.</summary>
    public bool IsBefore(SshConfigLine line, SshConfigLine other) => _order.IndexOf(line) < _order.IndexOf(other);

    /// <summary>The line that counts, or null.</summary>
    public SshConfigLine? First(string keyword) => All(keyword) is [var first, ..] ? first : null;

    /// <summary>The value that counts, or null.</summary>
    public string? Text(string keyword) =>
        First(keyword) is not { } line ? null : line.Arguments is [{ Length: > 0 } value, ..] ? value : throw Bad(line, "it has no value");

    /// <summary>The value of a yes or no; null without a setting.</summary>
    /// <param name="keyword">The keyword in small letters.</param>
    /// <param name="alsoYes">Other words that mean yes.</param>
    public bool? Flag(string keyword, params string[] alsoYes) => Text(keyword) is not { } text ? null
        : text.ToLowerInvariant() switch
        {
            "yes" or "true" => true,
            "no" or "false" => false,
            var other when alsoYes.Contains(other) => true,
            _ => throw Bad(First(keyword)!, $"'{text}' is neither yes nor no"),
        };

    /// <summary>A whole number that is not negative; null without a setting.</summary>
    public int? Number(string keyword) => Text(keyword) is not { } text ? null
        : int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out var number) ? number
        : throw Bad(First(keyword)!, $"'{text}' is no number");

    public static TransferException Bad(SshConfigLine line, string how) =>
        new(TransferError.Protocol, $"{line.Place}: {line.Known?.Name ?? line.Keyword} is not understood: {how}.");
}
