using Transfer.Cli.Connections;

namespace Transfer.Cli.Commands.Plans;

/// <summary>Two folders with the clients of their servers.</summary>
internal sealed class FolderPair : IAsyncDisposable
{
    private readonly TransferClient _client;
    private readonly string _path;
    private readonly (TransferClient Client, string Path)? _target;
    private readonly (string Path, SyncDirection Direction)? _local;
    private readonly IReadOnlyList<IAsyncDisposable> _owned;

    private FolderPair(TransferClient client, string path, string local, SyncDirection direction, Connector connector) =>
        (_client, _path, _local, _owned, Clients) = (client, path, (local, direction), [connector], [client]);

    private FolderPair(TransferClient client, string path, TransferClient target, string targetPath, params IAsyncDisposable[] owned) =>
        (_client, _path, _target, _owned, Clients) = (client, path, (target, targetPath), owned, [client, target]);

    /// <summary>The clients of both sides.</summary>
    public IReadOnlyList<TransferClient> Clients { get; }

    /// <summary>Opens both sides with the log-ins of the options.</summary>
    public static async Task<FolderPair> OpenAsync(Invocation invocation, CopySide from, CopySide to, CancellationToken ct)
    {
        var logins = new CopyLogins(
            invocation.Login(invocation.Options.Login), invocation.Login(invocation.Options.From), invocation.Login(invocation.Options.To),
            from.IsRemote, to.IsRemote);
        if (!from.IsRemote && !to.IsRemote)
        {
            if (invocation.Given(invocation.Options.Connection) is { } option)
                throw new UsageException($"{option} is for servers, and both sides are local.");
            var (source, sourcePath) = LocalSide.Open(from.LocalPath, invocation.Limit);
            var (target, targetPath) = LocalSide.Open(to.LocalPath, invocation.Limit);
            return new(source, sourcePath, target, targetPath, source, target);
        }
        var connector = invocation.CreateConnector([.. new[] { from.Url, to.Url }.OfType<Urls.TransferUrl>()]);
        var ambient = !(from.IsRemote && to.IsRemote);
        try
        {
            var first = from.Url is { } url ? await connector.OpenAsync(url, logins.From, ambient, ct) : null;
            var second = to.Url is { } other ? await connector.OpenAsync(other, logins.To, ambient, ct) : null;
            return (first, second) switch
            {
                ({ } source, { } target) => new(source, from.Url!.Path, target, to.Url!.Path, connector),
                ({ } source, null) => new(source, from.Url!.Path, to.LocalPath, SyncDirection.Down, connector),
                _ => new(second!, to.Url!.Path, from.LocalPath, SyncDirection.Up, connector),
            };
        }
        catch
        {
            await connector.DisposeAsync();
            throw;
        }
    }

    /// <summary>Plans.</summary>
    public IAsyncEnumerable<PlannedItem> PlanAsync(SyncOptions options, CancellationToken ct) =>
        _target is { } target ? _client.PlanAsync(_path, target.Client, target.Path, options, ct)
        : _client.PlanAsync(_local!.Value.Path, _path, _local.Value.Direction, options, ct);

    /// <summary>Starts a part.</summary>
    public TransferJob StartApply(PlanManifest manifest, SyncOptions options, StepRun run) =>
        _target is { } target
            ? _client.StartApply(_path, target.Client, target.Path, manifest, options, readItems: true, run.Progress, run.Abort)
            : _client.StartApply(_local!.Value.Path, _path, _local.Value.Direction, manifest, options, readItems: true, run.Progress,
                run.Abort);

    public async ValueTask DisposeAsync()
    {
        foreach (var owned in _owned) await owned.DisposeAsync();
    }
}
