using System.Globalization;
using System.Text;

namespace Transfer.Cli.Reference;

/// <summary>The manual page, in the man(7) macros of roff.</summary>
internal static class ManualPage
{
    public static string Write(IReadOnlyList<VerbEntry> verbs, string version)
    {
        var page = new StringBuilder();
        page.Append(CultureInfo.InvariantCulture, $".TH TRANSFER 1 \"\" \"transfer {version}\" \"User Commands\"\n");
        page.Append(".SH NAME\ntransfer \\- move files over FTP, FTPS and SFTP at the speed of the link\n.SH SYNOPSIS\n");
        foreach (var verb in verbs)
            page.Append(CultureInfo.InvariantCulture, $".B transfer {Escape(verb.Name)}\n{Escape(verb.Verb.Usage)}\n.br\n");
        page.Append(".SH DESCRIPTION\n");
        AppendText(page, HelpText.General);
        page.Append(".SH VERBS\n");
        foreach (var verb in verbs) AppendVerb(page, verb);
        return page.ToString();
    }

    private static void AppendVerb(StringBuilder page, VerbEntry entry)
    {
        page.Append(CultureInfo.InvariantCulture,
            $".SS transfer {Escape(entry.Name)} {Escape(entry.Verb.Usage)}\n{Line(entry.Verb.Description)}\n");
        if (entry.Verb.Details.Length > 0)
        {
            page.Append(".PP\n");
            AppendText(page, entry.Verb.Details);
        }

        foreach (var (heading, options) in entry.Groups)
        {
            page.Append(CultureInfo.InvariantCulture, $".PP\n.I {Escape(heading)}\n");
            foreach (var option in options)
            {
                var names = string.Join(", ", option.Names.Select(name => $"\\fB{Escape(name)}\\fR"));
                var value = option.Value is null ? string.Empty : $" \\fI{Escape(option.Value)}\\fR";
                page.Append(CultureInfo.InvariantCulture, $".TP\n{names}{value}\n{Line(option.Description)}\n");
            }
        }

        if (entry.Verb.Examples.Count == 0) return;
        page.Append(".PP\n.I Examples\n.nf\n");
        foreach (var example in entry.Verb.Examples) page.Append(CultureInfo.InvariantCulture, $"{Line(HelpText.Call(example))}\n");
        page.Append(".fi\n");
    }

    // Lines as they stand, since they are tables as often as sentences.
    private static void AppendText(StringBuilder page, string text)
    {
        page.Append(".nf\n");
        foreach (var line in text.ReplaceLineEndings("\n").TrimEnd('\n').Split('\n')) page.Append(Line(line)).Append('\n');
        page.Append(".fi\n");
    }

    private static string Escape(string text) =>
        text.Replace("\\", "\\e", StringComparison.Ordinal).Replace("-", "\\-", StringComparison.Ordinal);

    // A line that begins with a full stop or an apostrophe would be a request.
    private static string Line(string text) => text is ['.' or '\'', ..] ? "\\&" + Escape(text) : Escape(text);
}
