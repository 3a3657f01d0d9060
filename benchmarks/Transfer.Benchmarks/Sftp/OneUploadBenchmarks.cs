using BenchmarkDotNet.Attributes;
using Renci.SshNet;
using Transfer.ServerTests;
using Transfer.Sftp;
using Transfer.Testing;

namespace Transfer.Benchmarks.Sftp;

/// <summary>
/// One upload of 10 KB to the embedded server by a client that has done nothing before, log-in and end included, beside SSH.NET. The
/// session stays open in the last row, as an application's client keeps it.
/// </summary>
[InvocationCount(16)]
[MaxIterationCount(MostIterations)]
public class OneUploadBenchmarks
{
    private const int MostIterations = 16;
    private const int Size = 10_000;
    private const string Remote = "/one";
    private const string User = "demo";

    private static readonly UploadOptions Again = new() { Overwrite = OverwriteMode.Always };

    private readonly string _local = Path.Combine(TestHost.Folder, "one");
    private SftpTestServer _server = null!;
    private SftpTransferClient _client = null!;

    [GlobalSetup]
    public async Task SetUp()
    {
        _server = await SftpTestServer.StartAsync();
        _client = Client();
        await File.WriteAllBytesAsync(_local, new byte[Size]);
    }

    [GlobalCleanup]
    public async Task CleanUp()
    {
        await _client.DisposeAsync();
        await _server.DisposeAsync();
        File.Delete(_local);
    }

    [Benchmark(Baseline = true, Description = "SSH.NET")]
    public async Task SshNet()
    {
        using var client = new SftpClient(_server.EndPoint.Address.ToString(), _server.EndPoint.Port, User, User);
        await client.ConnectAsync(CancellationToken.None);
        await using var source = File.OpenRead(_local);
        client.UploadFile(source, Remote);
    }

    [Benchmark(Description = "Transfer, a new client")]
    public async Task NewClient()
    {
        await using var client = Client();
        await client.UploadFileAsync(_local, Remote, Again);
    }

    [Benchmark(Description = "Transfer, an open session")]
    public Task OpenSession() => _client.UploadFileAsync(_local, Remote, Again);

    private SftpTransferClient Client() => new(_server.Uri, new SftpOptions
    {
        Credential = new TransferCredential(User, User),
        HostKeys = new SshHostKeyOptions { Pins = [_server.Fingerprint] },
    });
}
