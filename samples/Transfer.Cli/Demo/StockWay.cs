namespace Transfer.Cli.Demo;

/// <summary>
/// One file after the other, over one connection. What a stock client does not do (a temporary name, dates) it is not charged for.
/// </summary>
internal sealed class StockWay(DemoFiles files) : DemoWay(files)
{
    private static readonly UploadOptions Upload = new()
    {
        Overwrite = OverwriteMode.Always,
        Publish = PublishMode.Direct,
        Verify = VerificationMode.Reply,
        PreserveModified = false,
        CreateDirectories = true,
    };

    public override string Name => "One at a time";

    public override string RemoteFolder => "/one-at-a-time";

    protected override DownloadOptions Download { get; } =
        new() { Publish = PublishMode.Direct, Verify = VerificationMode.Reply, PreserveModified = false };

    public override TransferClient Connect(DemoServer server) => server.ConnectStock();

    public override async Task SendAsync(TransferClient client, CancellationToken ct)
    {
        await client.CreateDirectoryAsync(RemoteFolder, parents: true, ct);
        foreach (var name in DemoFiles.Names)
            await client.UploadFileAsync(Path.Combine(Files.Folder, name), $"{RemoteFolder}/{name}", Upload, null, ct);
    }

    /// <summary>Asks the server about each file.</summary>
    public override async Task SendAgainAsync(TransferClient client, CancellationToken ct)
    {
        foreach (var name in DemoFiles.Names)
        {
            if (await client.GetEntryAsync($"{RemoteFolder}/{name}", ct) is not { Length: DemoFiles.Length })
                throw new TransferException($"{name} did not arrive.");
        }
    }
}
