using Transfer.Benchmarks.Servers;
using Transfer.Ftp;
using Transfer.ServerTests.Servers;
using Transfer.Testing;

namespace Transfer.Benchmarks.Ftp;

/// <summary>A server to move files to and from: the embedded one in this process, or vsftpd where it is installed.</summary>
internal sealed class FtpTarget : IAsyncDisposable
{
    private const string Embedded = "embedded";
    private const string Vsftpd = "vsftpd";

    private readonly IAsyncDisposable _server;
    private readonly Action<string, byte[]> _plant;

    private FtpTarget(IAsyncDisposable server, Uri endpoint, TransferCredential credential, Action<string, byte[]> plant)
    {
        _server = server;
        _plant = plant;
        Endpoint = endpoint;
        Credential = credential;
    }

    /// <summary>Which can be started here.</summary>
    public static IEnumerable<string> Names => InstalledServers.WhyNot is null ? [Embedded, Vsftpd] : [Embedded];

    public Uri Endpoint { get; }

    public TransferCredential Credential { get; }

    public static async Task<FtpTarget> StartAsync(string name)
    {
        if (name == Vsftpd)
        {
            var real = await RealServer.StartAsync(ServerKind.Vsftpd, ServerVariant.Plain);
            return new FtpTarget(real, real.Url(), real.Credential, real.Plant);
        }
        var store = new MemoryStore();
        var server = await FtpTestServer.StartAsync(new FtpTestServerOptions { Store = store, CommandsKept = 0 });
        return new FtpTarget(server, server.Uri, new TransferCredential("demo", "demo"), (path, content) => store.AddFile(path, content));
    }

    /// <summary>Puts a file there.</summary>
    public void Plant(string path, byte[] content) => _plant(path, content);

    public FtpTransferClient Client() => new(Endpoint, new FtpOptions { Credential = Credential });

    public ValueTask DisposeAsync() => _server.DisposeAsync();
}
