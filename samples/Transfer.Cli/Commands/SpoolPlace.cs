namespace Transfer.Cli.Commands;

/// <summary>The store that a spool is in: a server's folder, or one here.</summary>
internal sealed class SpoolPlace : IAsyncDisposable
{
    private readonly IAsyncDisposable _owner;

    private SpoolPlace(TransferClient client, string path, IAsyncDisposable owner)
    {
        Client = client;
        Path = path;
        _owner = owner;
    }

    public TransferClient Client { get; }

    /// <summary>The spool's folder in it.</summary>
    public string Path { get; }

    /// <summary>Nothing is connected yet, but a password may be asked for.</summary>
    public static async ValueTask<SpoolPlace> OpenAsync(Invocation invocation, string argument, string verb, CancellationToken ct)
    {
        var side = CopySide.Parse(argument, verb);
        if (side.Url is { } url)
        {
            var connector = invocation.CreateConnector(url);
            try
            {
                return new SpoolPlace(await connector.OpenAsync(url, invocation.Login(invocation.Options.Login), ambient: true, ct),
                    url.Path, connector);
            }
            catch
            {
                await connector.DisposeAsync();
                throw;
            }
        }
        var own = invocation.Options;
        if (invocation.Given(own.Connection.Except([own.Sessions]).Concat(own.Login.All)) is { } option)
            throw new UsageException($"{option} is for servers, and the spool is a folder here.");
        var (client, path) = LocalSide.Open(side.LocalPath, invocation.Limit);
        return new SpoolPlace(client, path, client);
    }

    public ValueTask DisposeAsync() => _owner.DisposeAsync();
}
