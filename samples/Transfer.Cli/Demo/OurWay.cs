namespace Transfer.Cli.Demo;

/// <summary>The way of this program, by its defaults.</summary>
internal sealed class OurWay(DemoFiles files) : DemoWay(files)
{
    public override string Name => "Transfer";

    public override string RemoteFolder => "/transfer";

    protected override DownloadOptions Download { get; } = new();

    public override TransferClient Connect(DemoServer server) => server.Connect();

    public override Task SendAsync(TransferClient client, CancellationToken ct) => SynchronizeAsync(client, DemoFiles.Count, ct);

    public override Task SendAgainAsync(TransferClient client, CancellationToken ct) => SynchronizeAsync(client, 0, ct);

    private async Task SynchronizeAsync(TransferClient client, int expected, CancellationToken ct)
    {
        var result = await client.SynchronizeAsync(Files.Folder, RemoteFolder, SyncDirection.Up, new SyncOptions(), null, ct);
        if (result.Failed > 0) throw result.Failures[0].Error ?? new TransferException("An item failed.");
        if (result.Files != expected) throw new TransferException($"{result.Files} files were sent in place of {expected}.");
    }
}
