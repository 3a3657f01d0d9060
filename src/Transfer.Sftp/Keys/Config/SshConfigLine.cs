using System.Globalization;
using System.Text;

namespace Transfer.Sftp.Keys.Config;

/// <summary>One line of ssh_config(5): a keyword in small letters, by its present name, and the arguments.</summary>
internal sealed record SshConfigLine(string Keyword, IReadOnlyList<string> Arguments, string Path, int Number)
{
    public bool IsMatch => Keyword == "match";

    /// <summary>True when a new block begins.</summary>
    public bool IsCondition => IsMatch || Keyword == "host";

    /// <summary>The keyword in the manual's spelling; null when OpenSSH has none such.</summary>
    public ConfigKeyword? Known => ConfigKeywords.Find(Keyword);

    /// <summary>The file and number of the line, for messages.</summary>
    public string Place => string.Create(CultureInfo.InvariantCulture, $"{Path}:{Number}");

    /// <summary>Returns the arguments, of which there is one or more, and none is empty.</summary>
    /// <exception cref="TransferException"><see cref="TransferError.Protocol"/>: there is none, or an empty one.</exception>
    public IReadOnlyList<string> RequireWords() => Arguments.Count > 0 && Arguments.All(argument => argument.Length > 0) ? Arguments
        : throw ConfigValues.Bad(this, "it has no value");

    /// <summary>
    /// Reads a line; null when empty or a comment. Arguments may be in quotes of either kind, which a backslash makes literal; one
    /// <c>=</c> may follow the keyword.
    /// </summary>
    /// <exception cref="TransferException">
    /// <see cref="TransferError.Protocol"/>: a quote is not closed. Going on would put later lines under the wrong host.
    /// </exception>
    public static SshConfigLine? Parse(string line, string path, int number)
    {
        line = line.Trim();
        if (line.Length == 0 || line[0] == '#') return null;
        var end = line.AsSpan().IndexOfAny(" \t=");
        if (end < 0) end = line.Length;
        var rest = line[end..].TrimStart();
        if (rest.StartsWith('=')) rest = rest[1..];
        var name = line[..end];
        return new SshConfigLine(ConfigKeywords.Find(name)?.Key ?? name.ToLowerInvariant(), Split(rest, path, number), path, number);
    }

    // As OpenSSH's argv_split: a quote may begin within a word, and the other kind is literal there.
    private static List<string> Split(string text, string path, int number)
    {
        var arguments = new List<string>();
        var current = new StringBuilder();
        var quote = '\0';
        var started = false;
        for (var i = 0; i < text.Length; i++)
        {
            var c = text[i];
            var isQuoted = quote != '\0';
            if (c is (' ' or '\t') && !isQuoted)
            {
                if (started) arguments.Add(current.ToString());
                current.Clear();
                started = false;
                continue;
            }
            // A comment after the arguments.
            if (c == '#' && !started) break;
            started = true;
            if (c == '\\' && i + 1 < text.Length && (text[i + 1] is '\'' or '"' or '\\' || text[i + 1] == ' ' && !isQuoted))
                current.Append(text[++i]);
            else if (!isQuoted && c is ('"' or '\'')) quote = c;
            else if (isQuoted && c == quote) quote = '\0';
            else current.Append(c);
        }

        if (quote != '\0') throw new TransferException(TransferError.Protocol, $"{path}:{number}: a quote is not closed.");
        if (started) arguments.Add(current.ToString());
        return arguments;
    }
}
