using System.CommandLine;
using System.Globalization;
using System.Text;
using Transfer.Cli.Options;
using Transfer.Cli.Output;

namespace Transfer.Cli.Commands;

/// <summary>Describes files and folders.</summary>
internal sealed class StatVerb() : Verb("stat", "[OPTIONS] URL...", "Describe files or folders.")
{
    public override string Details => "Of several there is an empty line between. With -v the server is described too, as by probe.";

    public override IReadOnlyList<string> Examples => ["stat ftp://ftp.example.com/pub/tool.tar.gz"];

    public override IReadOnlyList<(string Heading, IEnumerable<Option> Options)> Options(CliOptions options) =>
        [Groups.Json(options), Groups.Login(options), Groups.Connection(options)];

    public override Task<int> RunAsync(Invocation invocation, CancellationToken ct)
    {
        var isFirst = true;
        return SeveralUrls.RunAsync(invocation, SeveralUrls.Read(invocation), async (client, url) =>
        {
            if (await client.GetEntryAsync(url.Path, ct) is not { } entry) return SingleServer.Missing(invocation.Messages, url);
            if (invocation.Json)
            {
                await JsonOutput.WriteAsync(invocation.Host.Output, EntryJson.From(entry), ct);
            }
            else
            {
                var text = Describe(entry, invocation.Host.OutputIsTerminal);
                await invocation.Host.Output.WriteAsync(NameEncoding.LosslessUtf8.GetBytes(isFirst ? text : "\n" + text), ct);
                isFirst = false;
            }

            if (invocation.Verbose) await ProbeVerb.WriteAsync(invocation, await client.ProbeAsync(url.Path, ct), ct);
            return ExitCode.Done;
        }, ct);
    }

    private static string Describe(RemoteEntry entry, bool terminal)
    {
        var text = new StringBuilder();
        Line("path", EntryTable.Name(entry.Path, terminal));
        Line("type", EntryJson.TypeName(entry.Type));
        Line("size", entry.Length?.ToString(CultureInfo.InvariantCulture));
        Line("modified", Time(entry.Modified));
        Line("created", Time(entry.Created));
        Line("mode", entry.Mode is { } mode ? $"{EntryJson.ModeText(mode)} {EntryTable.Permissions(entry)}" : null);
        Line("owner", entry.Owner is { } owner ? EntryTable.Name(owner, terminal) : null);
        Line("target", entry.LinkTarget is { } target ? EntryTable.Name(target, terminal) : null);
        return text.ToString();

        void Line(string name, string? value)
        {
            if (value is not null) text.Append(name.PadRight(10)).Append(value).Append('\n');
        }

        static string? Time(DateTimeOffset? time) =>
            time?.UtcDateTime.ToString("yyyy-MM-dd'T'HH:mm:ss.FFFFFFF'Z'", CultureInfo.InvariantCulture);
    }
}
