using System.Globalization;
using System.Text;

namespace Transfer.Sftp.Keys.Config;

/// <summary>One line of ssh_config(5): a keyword in small letters and its arguments.</summary>
internal sealed record SshConfigLine(string Keyword, IReadOnlyList<string> Arguments, int Number)
{
    public bool IsMatch => Keyword == "match";

    /// <summary>True for <c>Match all</c>, the one condition that needs nothing to be run or known.</summary>
    public bool IsMatchAll => IsMatch && Arguments is [var only] && only.Equals("all", StringComparison.OrdinalIgnoreCase);

    /// <summary>True for a setting that is looked at.</summary>
    public bool Concerns => Keyword
        is "hostname" or "hostkeyalias" or "user" or "port" or "identityfile" or "identitiesonly" or "userknownhostsfile" or "proxyjump" or "proxycommand";

    /// <summary>True when a new block begins.</summary>
    public bool IsCondition => IsMatch || Keyword == "host";

    /// <summary>What makes the line useless, or null.</summary>
    public string? Problem => Keyword switch
    {
        "include" or "hostname" or "hostkeyalias" or "user" or "identityfile" or "userknownhostsfile" or "proxyjump" or "proxycommand" or "identitiesonly"
            when Arguments.Count == 0 => $"{Keyword} without a value",
        "port" when Arguments.Count == 0 || !ushort.TryParse(Arguments[0], NumberStyles.None, CultureInfo.InvariantCulture, out var port) || port == 0 => "not a port",
        _ => null,
    };

    /// <summary>Reads a line; null when it is empty or a comment. Arguments may be in double quotes; one <c>=</c> may follow the keyword.</summary>
    /// <exception cref="TransferException"><see cref="TransferError.Protocol"/>: a quote is not closed. To go on would put what follows under the wrong host.</exception>
    public static SshConfigLine? Parse(string line, string path, int number)
    {
        line = line.Trim();
        if (line.Length == 0 || line[0] == '#') return null;
        var end = line.AsSpan().IndexOfAny(" \t=");
        if (end < 0) end = line.Length;
        var rest = line[end..].TrimStart();
        if (rest.StartsWith('=')) rest = rest[1..];
        return new SshConfigLine(line[..end].ToLowerInvariant(), Split(rest, path, number), number);
    }

    private static List<string> Split(string text, string path, int number)
    {
        var arguments = new List<string>();
        var current = new StringBuilder();
        bool quoted = false, started = false;
        foreach (var c in text)
        {
            if (c == '"')
            {
                quoted = !quoted;
                started = true;
            }
            else if (quoted || c is not (' ' or '\t'))
            {
                // A comment behind the arguments.
                if (c == '#' && !started) break;
                current.Append(c);
                started = true;
            }
            else if (started)
            {
                arguments.Add(current.ToString());
                current.Clear();
                started = false;
            }
        }

        if (quoted) throw new TransferException(TransferError.Protocol, $"{path}:{number}: a quote is not closed.");
        if (started) arguments.Add(current.ToString());
        return arguments;
    }
}
