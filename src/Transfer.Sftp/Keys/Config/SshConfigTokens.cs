using System.Text;

namespace Transfer.Sftp.Keys.Config;

/// <summary>
/// Replaces <c>~</c>, variables of the environment (<c>${NAME}</c>) and the percent tokens of ssh_config(5) that need no query; other
/// tokens stay unchanged.
/// </summary>
internal static class SshConfigTokens
{
    /// <summary>Replaces <c>~</c>, the user's home folder, in front of a path.</summary>
    /// <exception cref="TransferException">As for <see cref="PathInHome"/>.</exception>
    public static string ExpandHome(string path, string home, SshConfigLine line) =>
        PathInHome(path, line) is { } own ? Path.Combine(home, own) : path;

    /// <summary>Returns the part of a path below the user's home folder; null: the path is not there.</summary>
    /// <exception cref="TransferException">
    /// <see cref="TransferError.Unsupported"/>: the home folder of another user. As a path of that name below the current folder, it would
    /// lead to a file that anybody may have put there.
    /// </exception>
    public static string? PathInHome(string path, SshConfigLine line)
    {
        if (!path.StartsWith('~')) return null;
        var end = path.AsSpan().IndexOfAny(Path.DirectorySeparatorChar, Path.AltDirectorySeparatorChar);
        var user = end < 0 ? path[1..] : path[1..end];
        if (user.Length > 0 && user != Environment.UserName)
            throw new TransferException(TransferError.Unsupported, $"{line.Place}: the home folder of {user} is not looked up.");
        return end < 0 ? string.Empty : path[(end + 1)..];
    }

    /// <summary>Replaces tokens and variables in one pass: what a variable holds is not expanded again.</summary>
    /// <param name="text">The text.</param>
    /// <param name="values">The values of tokens.</param>
    /// <param name="line">The line of a setting that may have variables; null: they stay unchanged.</param>
    /// <exception cref="TransferException">
    /// <see cref="TransferError.Protocol"/>: a variable is not set, or has no closing brace.
    /// </exception>
    public static string Expand(string text, IReadOnlyDictionary<char, string> values, SshConfigLine? line = null)
    {
        var result = new StringBuilder();
        for (var i = 0; i < text.Length; i++)
        {
            if (line is not null && text.AsSpan(i).StartsWith("${"))
            {
                var end = text.IndexOf('}', i);
                if (end < 0) throw ConfigValues.Bad(line, "a variable has no closing brace");
                var name = text[(i + 2)..end];
                // As a path of that name below the current folder, it would lead to a file that anybody may have put there.
                result.Append(Environment.GetEnvironmentVariable(name)
                    ?? throw ConfigValues.Bad(line, $"the variable {name} is not set"));
                i = end;
                continue;
            }

            if (text[i] != '%' || i + 1 == text.Length)
            {
                result.Append(text[i]);
                continue;
            }

            var token = text[++i];
            if (token == '%') result.Append('%');
            else if (values.TryGetValue(token, out var value)) result.Append(value);
            else result.Append('%').Append(token);
        }

        return result.ToString();
    }
}
