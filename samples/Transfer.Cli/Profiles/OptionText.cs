using System.Text;
using Transfer.Cli.Urls;
using Transfer.Local;

namespace Transfer.Cli.Profiles;

/// <summary>Values of options as they may be shown.</summary>
internal static class OptionText
{
    private const string Hidden = "(hidden)";

    private static readonly string[] SecretFiles = ["password-file", "account-file", "passphrase-file", "token-file"];

    /// <summary>
    /// A value without secrets: no command that prints a password, and no file or variable that does not exist and may be one.
    /// </summary>
    /// <param name="key">The option's name without dashes.</param>
    /// <param name="value">The value.</param>
    /// <param name="environment">Returns the value of a variable; null: there is none.</param>
    public static string Shown(string key, string value, Func<string, string?> environment)
    {
        key = WithoutSide(key);
        if (key == "password-command" || key == "password-env" && environment(value) is null
            || SecretFiles.Contains(key) && !DiskFiles.Exists(value))
        {
            return Hidden;
        }

        return Other(key, value);
    }

    /// <summary>
    /// A command line without secrets. The values of options about passwords are left out in any case: a log outlives the files that they
    /// name, and a password may have been given instead. So are those of a script's variables.
    /// </summary>
    public static string CommandLine(IReadOnlyList<string> args)
    {
        var line = new StringBuilder("transfer");
        var key = string.Empty; // of the option before
        var isScript = args is ["run", ..];
        foreach (var arg in args)
        {
            line.Append(' ');
            if (IsOfLogIn(key))
            {
                line.Append(Logged(key, arg));
                key = string.Empty;
                continue;
            }

            var end = arg.AsSpan().IndexOfAny('=', ':');
            var name = end < 0 ? arg : arg[..end];
            key = name.StartsWith("--", StringComparison.Ordinal) ? WithoutSide(name[2..]) : string.Empty;
            if (isScript && end > 0 && arg[end] == '=' && name.All(c => char.IsAsciiLetterOrDigit(c) || c == '_'))
            {
                line.Append(name).Append('=').Append(Hidden);
                continue;
            }

            if (end < 0 || !IsOfLogIn(key))
            {
                line.Append(UrlRedaction.Redact(arg));
                continue;
            }

            line.Append(name).Append(arg[end]).Append(Logged(key, arg[(end + 1)..]));
            key = string.Empty;
        }

        return line.ToString();
    }

    private static string Logged(string key, string value) => IsSecret(key) ? Hidden : Other(key, value);

    private static bool IsOfLogIn(string key) => key == "user" || IsSecret(key);

    private static bool IsSecret(string key) => key is "password-command" or "password-env" || SecretFiles.Contains(key);

    private static string Other(string key, string value) =>
        key == "user" && value.IndexOf(':', StringComparison.Ordinal) is >= 0 and var colon ? value[..colon] + ":..."
            : UrlRedaction.Redact(value);

    private static string WithoutSide(string key) =>
        key.StartsWith("from-", StringComparison.Ordinal) ? key[5..] : key.StartsWith("to-", StringComparison.Ordinal) ? key[3..] : key;
}
