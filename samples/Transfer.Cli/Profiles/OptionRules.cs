using System.CommandLine;
using Transfer.Cli.Options;

namespace Transfer.Cli.Profiles;

/// <summary>Options that exclude or need each other, so that a default never contradicts an option that counts more.</summary>
internal static class OptionRules
{
    /// <summary>The key of the password in the file.</summary>
    public const string Password = "password";

    // Of each row the options that count most are taken, and the others are left out.
    private static readonly string[][] Rivals =
    [
        ["quiet", "verbose", "wire", "debug"],
        ["json", "json=items"],
        ["remove-source", "move-source-to"],
        ["remove-source", "delete"],
        ["move-source-to", "delete"],
        ["password-file", "password-env", "password-command"],
        ["pin", "insecure", "ca-file"],
        ["pin", "accept-new-host-key"],
        ["active", "proxy"],
        ["files-from", "files-from0"],
        ["watch", "dry-run"],
    ];

    // The first says nothing without the second, in verbs that have both.
    private static readonly (string Option, string Needed)[] Needs =
    [
        ("max-delete", "delete"), ("delete-for-empty-source", "delete"), ("log-format", "log"), ("shard-by", "shard"),
        ("settle", "watch"), ("trigger", "watch"), ("interval", "watch"), ("interval", "follow"), ("cert-key", "cert"),
    ];

    // Those for one server, and only that: they would reach others.
    private static readonly string[] OfOneServer =
        ["password-file", "password-env", "password-command", "account-file", "pin", "insecure"];

    /// <summary>The name of an option without its dashes, as the configuration has it.</summary>
    public static string KeyOf(Option option) => option.Name[2..];

    /// <summary>The variable of an option: <c>TRANSFER_MAX_DELETE</c> for --max-delete.</summary>
    public static string VariableOf(Option option) =>
        "TRANSFER_" + KeyOf(option).ToUpperInvariant().Replace('-', '_').Replace('=', '_');

    /// <summary>Whether an option can have a default: not if it says what one run is.</summary>
    public static bool IsConfigurable(CliOptions options, Option option) =>
        option != options.Help && option != options.LongHelp && option != options.Version && option != options.ShowOptions
        && option != options.Server && option != options.JsonItems;

    /// <summary>Whether a variable can hold the default of an option: TRANSFER_PASSPHRASE holds a passphrase.</summary>
    public static bool HasVariable(CliOptions options, Option option) =>
        IsConfigurable(options, option) && option != options.Spool.Passphrase;

    /// <summary>Whether an option is for one server, and not for a default of all.</summary>
    public static bool IsOfOneServer(string key) => key == Password || OfOneServer.Contains(key);

    /// <summary>The options without those that a rival excludes, and those that say nothing without another one.</summary>
    /// <param name="values">The options that are on, the typed ones too.</param>
    /// <param name="own">The options of the verb.</param>
    public static IReadOnlyList<OptionValue> Choose(IReadOnlyList<OptionValue> values, IReadOnlyList<Option> own)
    {
        var left = values.Where(value => value.Layer == OptionLayer.Arguments || !Rivals.Any(row =>
            row.Contains(value.Key) && values.Any(other => row.Contains(other.Key) && !other.IsOff && other.Layer < value.Layer))).ToList();
        left.RemoveAll(value => value.Layer != OptionLayer.Arguments
            && Needs.Where(need => need.Option == value.Key && own.Any(option => KeyOf(option) == need.Needed)).ToList()
                is { Count: > 0 } all
            && !all.Exists(need => left.Exists(other => other.Key == need.Needed && !other.IsOff)));
        left.RemoveAll(value => value.Layer != OptionLayer.Arguments && IsOutOfBound(value, left));
        return left;
    }

    // Bounds of the version of TLS exclude each other by their values.
    private static bool IsOutOfBound(OptionValue value, List<OptionValue> values) => values.Exists(other =>
        other.Layer < value.Layer && (value.Key, value.Values[0], other.Key, other.Values[0])
            is ("tls-min", "1.3", "tls-max", "1.2") or ("tls-max", "1.2", "tls-min", "1.3"));
}
