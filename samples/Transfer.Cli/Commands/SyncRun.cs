using Transfer.Cli.Credentials;
using Transfer.Cli.Options;
using Transfer.Cli.Urls;

namespace Transfer.Cli.Commands;

/// <summary>Makes one folder like another, once or for as long as the command runs.</summary>
/// <param name="invocation">The run.</param>
/// <param name="verb">The name of the verb.</param>
/// <param name="watch">How the source is followed; null: the folders are made alike once.</param>
internal sealed class SyncRun(Invocation invocation, string verb, WatchOptions? watch)
{
    private readonly Journals _journals = new(invocation.Host, invocation.Messages, invocation.Transfer);

    /// <summary>Runs.</summary>
    /// <returns>The exit code.</returns>
    public async Task<int> RunAsync(CancellationToken ct)
    {
        if (invocation.Paths.Count != 2) throw new UsageException($"{verb} wants two folders, from and to.");
        var from = CopySide.Parse(invocation.Paths[0], verb);
        var to = CopySide.Parse(invocation.Paths[1], verb);
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
                $"{verb} is for folders, and {from.LocalPath} is a file: {(to.IsRemote ? "put" : "copy")} sends it.");
        }

        if (!from.IsRemote && !to.IsRemote) CopySteps.CheckLocal(transfer);
        return (from.Url, to.Url) switch
        {
            ({ } source, { } target) => await BetweenServersAsync(source, target, logins, ct),
            ({ } source, null) => await WithServerAsync(source, logins.From, to.LocalPath, SyncDirection.Down, ct),
            (null, { } target) => await WithServerAsync(target, logins.To, from.LocalPath, SyncDirection.Up, ct),
            _ => await LocallyAsync(from.LocalPath, to.LocalPath, ct),
        };
    }

    private async Task<int> BetweenServersAsync(TransferUrl from, TransferUrl to, CopyLogins logins, CancellationToken ct)
    {
        await using var connector = invocation.CreateConnector(from, to);
        var source = await connector.OpenAsync(from, logins.From, ambient: false, ct);
        var target = await connector.OpenAsync(to, logins.To, ambient: false, ct);
        return await RunAsync(from.Redacted, [source, target], _journals.Sync(from.Redacted, to.Redacted), (options, step) =>
            watch is null
            ? source.StartSynchronize(from.Path, target, to.Path, options, readItems: true, step.Progress, step.Abort)
            : source.StartWatch(from.Path, target, to.Path, watch with { Sync = options }, readItems: true, step.Progress, step.Abort), ct);
    }

    private async Task<int> WithServerAsync(
        TransferUrl url, LoginArguments login, string local, SyncDirection direction, CancellationToken ct)
    {
        await using var connector = invocation.CreateConnector(url);
        var client = await connector.OpenAsync(url, login, ambient: true, ct);
        var (full, isUp) = (LocalPath.Full(local), direction == SyncDirection.Up);
        var how = isUp ? _journals.Sync(full, url.Redacted) : _journals.Sync(url.Redacted, full);
        return await RunAsync(isUp ? local : url.Redacted, [client], how, (options, step) =>
            watch is null
            ? client.StartSynchronize(local, url.Path, direction, options, readItems: true, step.Progress, step.Abort)
            : client.StartWatch(local, url.Path, direction, watch with { Sync = options }, readItems: true, step.Progress, step.Abort),
            ct);
    }

    private async Task<int> LocallyAsync(string from, string to, CancellationToken ct)
    {
        if (invocation.Given(invocation.Options.Connection) is { } option)
            throw new UsageException($"{option} is for servers, and both sides are local.");
        var (source, sourcePath) = LocalSide.Open(from, invocation.Limit);
        await using var sourceEnd = source;
        var (target, targetPath) = LocalSide.Open(to, invocation.Limit);
        await using var targetEnd = target;
        return await RunAsync(from, [source, target], _journals.Sync(LocalPath.Full(from), LocalPath.Full(to)),
            (options, step) => watch is null
            ? source.StartSynchronize(sourcePath, target, targetPath, options, readItems: true, step.Progress, step.Abort)
            : target.StartWatch(from, targetPath, SyncDirection.Up, watch with { Sync = options }, readItems: true, step.Progress,
                step.Abort), ct);
    }

    private async Task<int> RunAsync(
        string name, IReadOnlyList<TransferClient> clients, SyncOptions how, Func<SyncOptions, StepRun, TransferJob> start,
        CancellationToken ct)
    {
        using var runner = new TransferRunner(invocation, parallel: 1, sync: true, grace: invocation.Transfer.Grace);
        var step = TransferStep.Job(name, clients, prefix: string.Empty,
            run => start(how with { Deletions = new DeletionNote(invocation) }, run));
        return await runner.RunAsync(watch is null ? "Synchronizing" : "Watching",
            _ => Task.FromResult<IReadOnlyList<TransferStep>>([step]), ct);
    }
}
