using Transfer.Testing;

namespace Transfer.Cli.Tests;

/// <summary>Base of tests that run the command against an embedded FTP server, with a folder here and files in memory there.</summary>
public abstract class FtpCommandFixture : IAsyncDisposable
{
    private protected readonly TempFolder _folder = new();
    private protected readonly MemoryStore _store = new();
    private protected FtpTestServer _server = null!;

    [SetUp]
    public async Task Start() => _server = await FtpTestServer.StartAsync(new FtpTestServerOptions { Store = _store });

    public async ValueTask DisposeAsync()
    {
        await _server.DisposeAsync();
        _folder.Dispose();
        GC.SuppressFinalize(this);
    }

    private protected string Url(string path) => $"ftp://demo:demo@{_server.EndPoint}{path}";

    private protected static Task<CliResult> RunAsync(params string[] args) => new CliHarness().RunAsync(args);
}
