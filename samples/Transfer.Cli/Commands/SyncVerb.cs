using System.CommandLine;
using Transfer.Cli.Credentials;
using Transfer.Cli.Options;
using Transfer.Cli.Urls;

namespace Transfer.Cli.Commands;

/// <summary>Makes one folder like another.</summary>
internal sealed class SyncVerb() : Verb("sync", "[OPTIONS] FROM TO", "Make a folder like another one: send new and changed files.")
{
    public override string Details => """
        FROM and TO are folders: URLs, or local paths. Files are sent that TO lacks, or has with another size or
        time. With --delete, files that only TO has are deleted after all were sent, or renamed where a new file
        has the same size, time and content; nothing is deleted if a file failed, or for a source without any file.
        Entries that the options leave out are not deleted, and no entry is replaced by one of another kind. Large
        files continue, with --resume, that were under way when the command was interrupted. Log-ins as in copy.
        """;

    public override IReadOnlyList<string> Examples =>
    [
        "sync --delete site/ ftpes://me@ftp.example.com/www",
        "sync --dry-run --delete ftpes://me@ftp.example.com/www/ backup",
        "sync --exclude .git/ --exclude '*.tmp' src sftp://me@host.example.com/src",
    ];

    public override IReadOnlyList<(string Heading, IEnumerable<Option> Options)> Options(CliOptions options) =>
    [
        ("Files", options.Sync), Groups.Filter(options), Groups.Login(options), ("Log-in at the source", options.From.All),
        ("Log-in at the target", options.To.All), Groups.Connection(options), Groups.Items(options),
    ];

    public override ArgumentSide SideOf(int index, int count) => ArgumentSide.Either;

    public override async Task<int> RunAsync(Invocation invocation, CancellationToken ct)
    {
        if (invocation.Paths.Count != 2) throw new UsageException("sync wants two folders, from and to.");
        var from = CopySide.Parse(invocation.Paths[0], Name);
        var to = CopySide.Parse(invocation.Paths[1], Name);
        var logins = new CopyLogins(
            invocation.Login(invocation.Options.Login), invocation.Login(invocation.Options.From), invocation.Login(invocation.Options.To),
            from.IsRemote, to.IsRemote);
        var transfer = invocation.Transfer;
        if (transfer is { DeleteForEmptySource: true, Delete: false })
            throw new UsageException("--delete-for-empty-source says nothing without --delete.");
        if (transfer is { MaxDelete: not null, Delete: false }) throw new UsageException("--max-delete says nothing without --delete.");
        if (!from.IsRemote && LocalPath.Find(from.LocalPath) is not null && !LocalPath.IsDirectory(from.LocalPath))
        {
            throw new UsageException(
                $"sync makes two folders alike, and {from.LocalPath} is a file: {(to.IsRemote ? "put" : "copy")} sends it.");
        }

        if (!from.IsRemote && !to.IsRemote) CopySteps.CheckLocal(transfer);
        var journals = new Journals(invocation.Host, invocation.Messages, transfer);
        return (from.Url, to.Url) switch
        {
            ({ } source, { } target) => await BetweenServersAsync(invocation, source, target, logins, journals, ct),
            ({ } source, null) => await WithServerAsync(invocation, source, logins.From, to.LocalPath, SyncDirection.Down, journals, ct),
            (null, { } target) => await WithServerAsync(invocation, target, logins.To, from.LocalPath, SyncDirection.Up, journals, ct),
            _ => await LocallyAsync(invocation, from.LocalPath, to.LocalPath, journals, ct),
        };
    }

    private static async Task<int> BetweenServersAsync(
        Invocation invocation, TransferUrl from, TransferUrl to, CopyLogins logins, Journals journals, CancellationToken ct)
    {
        await using var connector = invocation.CreateConnector(from, to);
        var source = await connector.OpenAsync(from, logins.From, ambient: false, ct);
        var target = await connector.OpenAsync(to, logins.To, ambient: false, ct);
        return await RunAsync(invocation, from.Redacted, [source, target], journals.Sync(from.Redacted, to.Redacted), (options, step) =>
            source.StartSynchronize(from.Path, target, to.Path, options, readItems: true, step.Progress, step.Abort), ct);
    }

    private static async Task<int> WithServerAsync(
        Invocation invocation, TransferUrl url, LoginArguments login, string local, SyncDirection direction, Journals journals,
        CancellationToken ct)
    {
        await using var connector = invocation.CreateConnector(url);
        var client = await connector.OpenAsync(url, login, ambient: true, ct);
        var (full, isUp) = (LocalPath.Full(local), direction == SyncDirection.Up);
        var how = isUp ? journals.Sync(full, url.Redacted) : journals.Sync(url.Redacted, full);
        return await RunAsync(invocation, isUp ? local : url.Redacted, [client], how, (options, step) =>
            client.StartSynchronize(local, url.Path, direction, options, readItems: true, step.Progress, step.Abort), ct);
    }

    private static async Task<int> LocallyAsync(Invocation invocation, string from, string to, Journals journals, CancellationToken ct)
    {
        if (invocation.Given(invocation.Options.Connection) is { } option)
            throw new UsageException($"{option} is for servers, and both sides are local.");
        var (source, sourcePath) = LocalSide.Open(from, invocation.Limit);
        await using var sourceEnd = source;
        var (target, targetPath) = LocalSide.Open(to, invocation.Limit);
        await using var targetEnd = target;
        return await RunAsync(invocation, from, [source, target], journals.Sync(LocalPath.Full(from), LocalPath.Full(to)),
            (options, step) =>
            source.StartSynchronize(sourcePath, target, targetPath, options, readItems: true, step.Progress, step.Abort), ct);
    }

    private static async Task<int> RunAsync(
        Invocation invocation, string name, IReadOnlyList<TransferClient> clients, SyncOptions how,
        Func<SyncOptions, StepRun, TransferJob> start, CancellationToken ct)
    {
        using var runner = new TransferRunner(invocation, parallel: 1, sync: true, grace: invocation.Transfer.Grace);
        var step = TransferStep.Job(name, clients, prefix: string.Empty,
            run => start(how with { Deletions = new DeletionNote(invocation) }, run));
        return await runner.RunAsync("Synchronizing", _ => Task.FromResult<IReadOnlyList<TransferStep>>([step]), ct);
    }
}
