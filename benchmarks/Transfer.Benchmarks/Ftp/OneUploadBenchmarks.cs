using BenchmarkDotNet.Attributes;
using Transfer.Ftp;
using Transfer.ServerTests;
using Transfer.Wan.Clients.StockFtp;

namespace Transfer.Benchmarks.Ftp;

/// <summary>
/// One upload of 10 KB by a client that has done nothing before, log-in and end included, beside a client like FtpWebRequest without its
/// look-up backwards. The session stays open in the last row, as an application's client keeps it.
/// </summary>
[InvocationCount(16)]
[MaxIterationCount(MostIterations)]
public class OneUploadBenchmarks
{
    private const int MostIterations = 16;
    private const int Size = 10_000;
    private const string Remote = "/one";

    private static readonly StockFtpOptions Stock = new() { ReverseLookup = false };
    private static readonly UploadOptions Again = new() { Overwrite = OverwriteMode.Always };

    private readonly string _local = Path.Combine(TestHost.Folder, "one");
    private FtpTarget _target = null!;
    private FtpTransferClient _client = null!;

    public static IEnumerable<string> Servers => FtpTarget.Names;

    [ParamsSource(nameof(Servers))]
    public string Server { get; set; } = "";

    [GlobalSetup]
    public async Task SetUp()
    {
        _target = await FtpTarget.StartAsync(Server);
        _client = _target.Client();
        await File.WriteAllBytesAsync(_local, new byte[Size]);
    }

    [GlobalCleanup]
    public async Task CleanUp()
    {
        await _client.DisposeAsync();
        await _target.DisposeAsync();
        File.Delete(_local);
    }

    [Benchmark(Baseline = true, Description = "stock .NET")]
    public async Task StockNet()
    {
        var server = new UriBuilder(_target.Endpoint) { UserName = _target.Credential.UserName }.Uri;
        using var session = await StockFtpSession.OpenAsync(server, _target.Credential.Password, Stock, TimeProvider.System, default);
        await session.StoreAsync(_local, Remote, default);
        await session.QuitAsync(default);
    }

    [Benchmark(Description = "Transfer, a new client")]
    public async Task NewClient()
    {
        await using var client = _target.Client();
        await client.UploadFileAsync(_local, Remote, Again);
    }

    [Benchmark(Description = "Transfer, an open session")]
    public Task OpenSession() => _client.UploadFileAsync(_local, Remote, Again);
}
