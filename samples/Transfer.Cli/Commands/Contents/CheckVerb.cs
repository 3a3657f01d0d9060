using System.CommandLine;
using Transfer.Cli.Options;

namespace Transfer.Cli.Commands.Contents;

/// <summary>Compares two folders.</summary>
internal sealed class CheckVerb() : Verb("check", "[OPTIONS] FROM TO", "Compare two folders and list the differences.")
{
    public override string Details => """
        FROM and TO are folders: URLs, or local paths. Files are compared by length and time, or as --compare says.
        A line a difference: missing (in TO), extra (only in TO) or different, and the path; with --json an object a
        line, and the counts last. Nothing is changed. The exit code is 1 if there are differences. Log-ins as in copy.
        """;

    public override IReadOnlyList<string> Examples =>
    [
        "check site/ ftpes://me@ftp.example.com/www",
        "check --hash --one-way sftp://me@files.example.com/in/ archive/",
    ];

    public override IReadOnlyList<(string Heading, IEnumerable<Option> Options)> Options(CliOptions options) =>
    [
        ("Files", [options.Contents.ByHash, options.Compare, options.Contents.OneWay, options.Links, options.MapNames]),
        Groups.Filter(options), Groups.Login(options), ("Log-in at the source", options.From.All),
        ("Log-in at the target", options.To.All), Groups.Connection(options), Groups.Json(options),
    ];

    public override ArgumentSide SideOf(int index, int count) => ArgumentSide.Either;

    public override async Task<int> RunAsync(Invocation invocation, CancellationToken ct)
    {
        if (invocation.Paths.Count != 2) throw new UsageException("check wants two folders, from and to.");
        var (from, to) = (CopySide.Parse(invocation.Paths[0], Name), CopySide.Parse(invocation.Paths[1], Name));
        var logins = new CopyLogins(
            invocation.Login(invocation.Options.Login), invocation.Login(invocation.Options.From), invocation.Login(invocation.Options.To),
            from.IsRemote, to.IsRemote);
        var byHash = invocation.Flag(invocation.Options.Contents.ByHash);
        if (byHash && invocation.Given([invocation.Options.Compare]) is { } compare)
            throw new UsageException($"--hash and {compare} contradict each other.");
        if (!from.IsRemote && !to.IsRemote && invocation.Given(invocation.Options.Connection) is { } option)
            throw new UsageException($"{option} is for servers, and both sides are local.");
        var transfer = invocation.Transfer;
        var options = new CompareOptions
        {
            Compare = byHash ? SyncComparison.Hash : transfer.Compare,
            Links = transfer.Links,
            NameMapping = transfer.NameMapping,
            Filter = transfer.Filter,
            Sessions = transfer.Sessions,
        };
        var report = new CheckReport(invocation);
        await using var connector = invocation.CreateConnector([.. new[] { from.Url, to.Url }.OfType<Urls.TransferUrl>()]);
        switch (from.Url, to.Url)
        {
            case ({ } source, { } target):
                var first = await connector.OpenAsync(source, logins.From, ambient: false, ct);
                var second = await connector.OpenAsync(target, logins.To, ambient: false, ct);
                return await report.RunAsync(first.CompareAsync(source.Path, second, target.Path, options, ct), ct);
            case ({ } source, null):
                var down = await connector.OpenAsync(source, logins.From, ambient: true, ct);
                return await report.RunAsync(down.CompareAsync(to.LocalPath, source.Path, SyncDirection.Down, options, ct), ct);
            case (null, { } target):
                var up = await connector.OpenAsync(target, logins.To, ambient: true, ct);
                return await report.RunAsync(up.CompareAsync(from.LocalPath, target.Path, SyncDirection.Up, options, ct), ct);
            default:
                var (here, herePath) = LocalSide.Open(from.LocalPath, limit: default);
                await using (here)
                {
                    var (there, therePath) = LocalSide.Open(to.LocalPath, limit: default);
                    await using (there) return await report.RunAsync(here.CompareAsync(herePath, there, therePath, options, ct), ct);
                }
        }
    }
}
