namespace Transfer.Cli.Demo;

/// <summary>A way to do the demo's work.</summary>
internal abstract class DemoWay(DemoFiles files)
{
    public abstract string Name { get; }

    /// <summary>Where its files are at the server.</summary>
    public abstract string RemoteFolder { get; }

    protected DemoFiles Files => files;

    public abstract TransferClient Connect(DemoServer server);

    /// <summary>Sends the small files.</summary>
    public abstract Task SendAsync(TransferClient client, CancellationToken ct);

    /// <summary>Finds out that nothing is to be sent.</summary>
    /// <exception cref="TransferException">Something was.</exception>
    public abstract Task SendAgainAsync(TransferClient client, CancellationToken ct);

    /// <summary>Fetches the large file.</summary>
    public Task FetchAsync(TransferClient client, string target, CancellationToken ct) =>
        client.DownloadFileAsync(DemoServer.LargeName, target, Download, null, ct);

    protected abstract DownloadOptions Download { get; }
}
