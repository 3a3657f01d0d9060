using BenchmarkDotNet.Attributes;
using Transfer.Ftp;
using Transfer.ServerTests;
using Transfer.Sftp;
using Transfer.Testing;

namespace Transfer.Benchmarks.Walks;

/// <summary>
/// 5,000 files in 200 folders at an embedded server, whose round trips cost next to nothing: what is left is the work of both sides, by the
/// file.
/// </summary>
public class WalkBenchmarks
{
    private const int Folders = 200;
    private const int Files = 25 * Folders;

    private readonly string _here = Path.Combine(TestHost.Folder, "walk");
    private IAsyncDisposable _server = null!;
    private TransferClient _client = null!;

    [Params("FTP", "SFTP")]
    public string Protocol { get; set; } = "FTP";

    [GlobalSetup]
    public async Task SetUp()
    {
        var store = new MemoryStore();
        for (var i = 0; i < Files; i++) store.AddFile($"/d/{i % Folders:000}/f{i:0000}", [1, 2, 3]);
        var credential = new TransferCredential("demo", "demo");
        if (Protocol == "FTP")
        {
            var server = await FtpTestServer.StartAsync(new FtpTestServerOptions { Store = store, CommandsKept = 0 });
            (_server, _client) = (server, new FtpTransferClient(server.Uri, new FtpOptions { Credential = credential }));
        }
        else
        {
            var server = await SftpTestServer.StartAsync(new SftpTestServerOptions { Store = store });
            (_server, _client) = (server, new SftpTransferClient(server.Uri, new SftpOptions
            {
                Credential = credential,
                HostKeys = new SshHostKeyOptions { Pins = [server.Fingerprint] },
            }));
        }
        await _client.DownloadDirectoryAsync("/d", _here);
    }

    [GlobalCleanup]
    public async Task CleanUp()
    {
        await _client.DisposeAsync();
        await _server.DisposeAsync();
        Directory.Delete(_here, recursive: true);
    }

    [Benchmark(Baseline = true, OperationsPerInvoke = Files, Description = "list all")]
    public async Task List() =>
        Expect(await _client.ListAsync("/d", new ListOptions { Recursive = true }).CountAsync(), Files + Folders);

    [Benchmark(OperationsPerInvoke = Files, Description = "synchronize, nothing new")]
    public async Task Synchronize()
    {
        var result = await _client.SynchronizeAsync(_here, "/d", SyncDirection.Up);
        Expect(result.Files + result.Failed, 0);
    }

    private static void Expect(long found, long wanted)
    {
        if (found != wanted) throw new InvalidOperationException($"{found} instead of {wanted}.");
    }
}
