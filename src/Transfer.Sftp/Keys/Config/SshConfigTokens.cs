using System.Text;

namespace Transfer.Sftp.Keys.Config;

/// <summary>Replaces <c>~</c> and the percent tokens of ssh_config(5) that need no query; other tokens stay unchanged.</summary>
internal static class SshConfigTokens
{
    public static string ExpandHome(string path, string home) =>
        path == "~" ? home
        : path.StartsWith("~/", StringComparison.Ordinal) ? Path.Combine(home, path[2..])
        : path;

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
