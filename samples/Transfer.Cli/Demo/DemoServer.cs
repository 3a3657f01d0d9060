using Transfer.Ftp;
using Transfer.Sftp;
using Transfer.Testing;

namespace Transfer.Cli.Demo;

/// <summary>An embedded server behind the demo's link, and the clients of both ways.</summary>
internal sealed class DemoServer : IAsyncDisposable
{
    public const int LargeLength = 16 * 1024 * 1024;
    public const int LargeSeed = 1;
    public const string LargeName = "/large.bin";

    private readonly IAsyncDisposable _server;

    private DemoServer(
        string protocol, MemoryStore store, IAsyncDisposable server, Func<TransferClient> connectStock, Func<TransferClient> connect)
    {
        Protocol = protocol;
        Store = store;
        _server = server;
        ConnectStock = connectStock;
        Connect = connect;
    }

    public string Protocol { get; }

    public MemoryStore Store { get; }

    /// <summary>A client as most are: one session, one command at a time.</summary>
    public Func<TransferClient> ConnectStock { get; }

    /// <summary>A client as it is by default.</summary>
    public Func<TransferClient> Connect { get; }

    public static async Task<DemoServer> StartFtpAsync(LinkOptions link, TransferClientOptions common, CancellationToken ct)
    {
        var store = CreateStore();
        var server = await FtpTestServer.StartAsync(new FtpTestServerOptions { Store = store, Link = link }, ct);
        var options = new FtpOptions(common);
        return new DemoServer(
            "FTP", store, server,
            () => new FtpTransferClient(server.Uri, options with { Pipelining = FtpPipelining.Off, MaxSessions = 1 }),
            () => new FtpTransferClient(server.Uri, options));
    }

    public static async Task<DemoServer> StartSftpAsync(LinkOptions link, TransferClientOptions common, CancellationToken ct)
    {
        var store = CreateStore();
        var server = await SftpTestServer.StartAsync(new SftpTestServerOptions { Store = store, Link = link }, ct);
        var options = new SftpOptions(common)
        {
            HostKeys = new SshHostKeyOptions { Pins = [server.Fingerprint], KnownHostsFiles = [] },
            Agent = new SshAgentOptions { Use = SshAgentUse.Never },
        };
        return new DemoServer(
            "SFTP", store, server,
            () => new SftpTransferClient(server.Uri, options with { MaxSessions = 1 }),
            () => new SftpTransferClient(server.Uri, options));
    }

    public ValueTask DisposeAsync() => _server.DisposeAsync();

    private static MemoryStore CreateStore()
    {
        var store = new MemoryStore();
        store.AddSyntheticFile(LargeName, LargeLength, LargeSeed);
        return store;
    }
}
