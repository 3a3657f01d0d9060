using System.CommandLine;
using Transfer.Cli.Options;
using Transfer.Cli.Urls;

namespace Transfer.Cli.Commands;

/// <summary>Copies from any URL to any URL.</summary>
internal sealed class CopyVerb() : Verb("copy", "[OPTIONS] URL URL", "Copy a file or a folder from one URL to another.")
{
    public override string Details => """
        Either side may be local: a path or a file: URL. Between two servers the data goes through this
        machine and never onto its disk. Two servers never share a log-in: --user, passwords, --identity,
        --jump, --pin and --insecure are refused then, and --from-user, --to-user and so on take their place. TRANSFER_PASSWORD
        is not used for two servers. Folders as in put and get. Between two servers, or two local sides, --resume begins
        files anew that were under way.
        """;

    public override IReadOnlyList<string> Examples =>
    [
        "copy ftpes://me@old.example.com/www/ ftpes://me@new.example.com/www --to-password-file new.txt",
        "copy ftp://ftp.example.com/pub/tool.tar.gz file:///srv/mirror/",
    ];

    public override IReadOnlyList<(string Heading, IEnumerable<Option> Options)> Options(CliOptions options) =>
    [
        Groups.Transfer(options), Groups.Names(options), Groups.Filter(options), Groups.Login(options),
        ("Log-in at the source", options.From.All),
        ("Log-in at the target", options.To.All),
        Groups.Connection(options), Groups.Items(options),
    ];

    public override ArgumentSide SideOf(int index, int count) => ArgumentSide.Either;

    public override async Task<int> RunAsync(Invocation invocation, CancellationToken ct)
    {
        if (invocation.Paths.Count != 2) throw new UsageException("copy wants two URLs, from and to.");
        var from = CopySide.Parse(invocation.Paths[0], Name);
        var to = CopySide.Parse(invocation.Paths[1], Name);
        var logins = new CopyLogins(
            invocation.Login(invocation.Options.Login), invocation.Login(invocation.Options.From), invocation.Login(invocation.Options.To),
            from.IsRemote, to.IsRemote);
        return (from.Url, to.Url) switch
        {
            ({ } source, { } destination) => await BetweenServersAsync(invocation, source, destination, logins, ct),
            ({ } source, null) => await GetVerb.RunAsync(invocation, [source], to.LocalPath, logins.From, ct, globs: false),
            (null, { } destination) => await PutVerb.RunAsync(invocation, [from.LocalPath], destination, logins.To, ct),
            _ => await LocalCopy.RunAsync(invocation, from.LocalPath, to.LocalPath, ct),
        };
    }

    private static async Task<int> BetweenServersAsync(Invocation invocation, TransferUrl from, TransferUrl to, CopyLogins logins,
        CancellationToken ct)
    {
        var transfer = invocation.Transfer;
        if (transfer.Newest is not null) throw new UsageException("--newest is for put and get.");
        await using var connector = invocation.CreateConnector(from, to);
        var source = await connector.OpenAsync(from, logins.From, ambient: false, ct);
        var destination = await connector.OpenAsync(to, logins.To, ambient: false, ct);
        if (ListedFiles.Of(invocation) is { } list)
        {
            if (transfer.Resume) throw new UsageException("--resume and --files-from contradict each other between two servers.");
            using var listed = new TransferRunner(invocation, connector.Parallel, grace: transfer.Grace);
            return await listed.RunAsync("Copying",
                _ => Task.FromResult<IReadOnlyList<TransferStep>>([list.Copy(source, from, destination, to, connector.Parallel)]), ct);
        }

        var journals = new Journals(invocation.Host, invocation.Messages, transfer);
        var step = CopySteps.Create(source, from.Path, from.Redacted, destination, to.Path, to.NamesDirectory, transfer, journals,
            (from.Redacted, to.Redacted));
        using var runner = new TransferRunner(invocation, parallel: 1, grace: transfer.Grace);
        return await runner.RunAsync("Copying", _ => Task.FromResult<IReadOnlyList<TransferStep>>([step]), ct);
    }
}
