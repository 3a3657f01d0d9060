using System.Text;

namespace Transfer.Sftp.Keys.Config;

/// <summary>Replaces <c>~</c> and the percent tokens of ssh_config(5) that need no query; other tokens stay unchanged.</summary>
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

    public static string Expand(string text, IReadOnlyDictionary<char, string> values)
    {
        var result = new StringBuilder();
        for (var i = 0; i < text.Length; i++)
        {
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
