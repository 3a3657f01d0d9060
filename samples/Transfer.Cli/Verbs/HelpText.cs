using System.CommandLine;
using System.Globalization;
using System.Text;
using Transfer.Cli.Options;

namespace Transfer.Cli.Verbs;

/// <summary>Writes the help.</summary>
internal static class HelpText
{
    private const int Column = 34;
    private const int Width = 110;

    /// <summary>What holds for all verbs.</summary>
    public const string General = """
        URLs are ftp://[user[:password]@]host[:port]/path, ftpes:// (explicit TLS), ftps:// (implicit TLS) and sftp://.
          The path begins at the server's root; /~/ is the log-in folder. It is percent-decoded once; #, ? and ..
          are what they are. @NAME is a server of the configuration, and @NAME/PATH a path there: see transfer config.

        Options that are not given have defaults in variables (TRANSFER_SESSIONS for --sessions) and in the
          configuration; --show-options shows them, and where they are from.

        The password is, in this order: what --password-file, --password-env or --password-command give, the one of
          the configuration, the URL's, the value of TRANSFER_PASSWORD, the one in .netrc (the file that NETRC names,
          else ~/.netrc), what is typed at the terminal. Without a user name it is .netrc's log-in, else an anonymous
          one. Others can see a command's arguments, so a password in a URL is for testing. Two servers in one command
          never share a log-in.

        sftp: reads ~/.ssh/config and the system's configuration as ssh and scp do, so that its host aliases, users, keys
          and jump hosts serve here too: Host, HostName, HostKeyAlias, User, Port, IdentityFile, IdentitiesOnly,
          UserKnownHostsFile, ProxyJump, Include and Match all. Options and the URL count more. A host that has a
          ProxyCommand is refused. --ssh-config none reads nothing.

        Exit codes: 0 all done, 1 some items failed (or existed), 2 usage, 3 not found, 4 denied or log-in failed,
          5 no connection, 6 certificate or host key refused, 7 integrity, 130 interrupted.
        Ctrl-C once stops cleanly, after what is under way was finished if that is soon done (--grace), twice at once.

        """;

    /// <summary>The help of one verb, or of the command.</summary>
    public static async Task WriteAsync(Stream output, Verb? verb, IReadOnlyList<Verb> verbs, CliOptions options, CancellationToken ct)
    {
        var text = new StringBuilder();
        if (verb is null) AppendCommand(text, verbs, options);
        else AppendVerb(text, verb, options);
        await output.WriteAsync(Encoding.UTF8.GetBytes(text.ToString()), ct);
    }

    private static void AppendCommand(StringBuilder text, IReadOnlyList<Verb> verbs, CliOptions options)
    {
        text.Append("Moves files over FTP, FTPS and SFTP at the speed of the link.\n\nUsage:\n");
        foreach (var verb in verbs) AppendRow(text, $"transfer {verb.Name} {verb.Usage}".TrimEnd(), verb.Description, Column + 6);
        text.Append("\nGeneral:\n");
        foreach (var option in (Option[])[options.Help, options.Version]) AppendOption(text, option, option.Description);
        text.Append("  transfer VERB --help explains a verb and its options.\n\n").Append(General);
    }

    private static void AppendVerb(StringBuilder text, Verb verb, CliOptions options)
    {
        text.Append(CultureInfo.InvariantCulture, $"{verb.Description}\n\nUsage: transfer {verb.Name} {verb.Usage}\n");
        if (verb.Details.Length > 0) text.Append('\n').Append(verb.Details.ReplaceLineEndings("\n")).Append('\n');
        foreach (var (heading, group) in verb.AllOptions(options))
        {
            text.Append(CultureInfo.InvariantCulture, $"\n{heading}:\n");
            foreach (var option in group) AppendOption(text, option, verb.Explain(options, option) ?? option.Description);
        }

        if (verb.Examples.Count == 0) return;
        text.Append("\nExamples:\n");
        foreach (var example in verb.Examples)
            text.Append("  ").Append(Call(example)).Append('\n');
    }

    /// <summary>An example of a verb as it is typed.</summary>
    public static string Call(string example) => example.Contains("transfer ", StringComparison.Ordinal) ? example : "transfer " + example;

    private static void AppendOption(StringBuilder text, Option option, string? description)
    {
        var names = string.Join(", ", option.Aliases.OrderBy(a => a.Length).Append(option.Name));
        AppendRow(text, option.HelpName is { } value ? $"{names} {value}" : names, description ?? string.Empty);
    }

    private static void AppendRow(StringBuilder text, string left, string right, int column = Column)
    {
        text.Append("  ").Append(left);
        var position = left.Length + 2;
        if (position > column - 2)
        {
            text.Append('\n');
            position = 0;
        }

        text.Append(' ', column - position);
        position = column;
        foreach (var word in right.Split(' '))
        {
            if (position > column && position + 1 + word.Length > Width)
            {
                text.Append('\n').Append(' ', column);
                position = column;
            }

            if (position > column) text.Append(' ');
            text.Append(word);
            position += word.Length + 1;
        }

        text.Append('\n');
    }
}
