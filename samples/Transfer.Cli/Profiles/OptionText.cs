using Transfer.Cli.Urls;
using Transfer.Local;

namespace Transfer.Cli.Profiles;

/// <summary>Values of options as they may be shown.</summary>
internal static class OptionText
{
    private const string Hidden = "(hidden)";

    private static readonly string[] SecretFiles = ["password-file", "account-file", "passphrase-file", "token-file"];

    /// <summary>A value without secrets: no command that prints a password, and no file that does not exist and may be one.</summary>
    public static string Shown(string key, string value)
    {
        foreach (var side in (string[])["from-", "to-"])
            if (key.StartsWith(side, StringComparison.Ordinal)) key = key[side.Length..];
        if (key == "password-command" || SecretFiles.Contains(key) && !DiskFiles.Exists(value)) return Hidden;
        return key == "user" && value.IndexOf(':', StringComparison.Ordinal) is >= 0 and var colon ? value[..colon] + ":..."
            : UrlRedaction.Redact(value);
    }
}
