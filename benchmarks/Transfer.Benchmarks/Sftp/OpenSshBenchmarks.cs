using BenchmarkDotNet.Attributes;
using Transfer.Benchmarks.Columns;
using Transfer.Benchmarks.Servers;
using Transfer.ServerTests;
using Transfer.ServerTests.Servers;
using Transfer.Sessions;
using Transfer.Sftp;

namespace Transfer.Benchmarks.Sftp;

/// <summary>
/// A large file to and from OpenSSH's sshd on loopback, against OpenSSH's own sftp. Every row is the whole job, as a command does it:
/// connect, log in, move, leave.
/// The server and the disk take their part of the time.
/// </summary>
[NeedsServer]
[Moves(Length)]
public partial class OpenSshBenchmarks
{
    private const int Length = 256 << 20;
    private const string RemoteFolder = "files";

    private readonly string _local = Path.Combine(TestHost.Folder, "large");
    private SshServer _server = null!;
    private OpenSshCommand _command = null!;

    [Params(WorkKind.Download, WorkKind.Upload)]
    public WorkKind Direction { get; set; }

    private string Remote => $"{_server.Home}/{RemoteFolder}/large";

    [GlobalSetup]
    public void SetUp()
    {
        _server = (SshServer)RealServer.StartAsync(ServerKind.OpenSsh, ServerVariant.Sftp).Result;
        var content = new byte[Length];
        Random.Shared.NextBytes(content);
        File.WriteAllBytes(_local, content);
        _server.Plant(Remote, content);
        _command = new OpenSshCommand(_server);
    }

    [GlobalCleanup]
    public void CleanUp() => _server.DisposeAsync().AsTask().Wait();

    [Benchmark(Baseline = true, Description = "OpenSSH sftp aes128-gcm")]
    public Task OpenSsh() =>
        _command.RunAsync("aes128-gcm@openssh.com", Direction == WorkKind.Upload ? $"put {_local} {Remote}" : $"get {Remote} {_local}");

    [Benchmark(Description = "aes128-gcm")]
    public Task Aes128Gcm() => MoveAsync(new SshAlgorithms { Ciphers = ["aes128-gcm@openssh.com"] });

    [Benchmark(Description = "aes256-gcm")]
    public Task Aes256Gcm() => MoveAsync(new SshAlgorithms { Ciphers = ["aes256-gcm@openssh.com"] });

    [Benchmark(Description = "aes128-ctr hmac-sha2-256-etm")]
    public Task Aes128CtrSha256Etm() => MoveAsync(new SshAlgorithms { Ciphers = ["aes128-ctr"], Macs = ["hmac-sha2-256-etm@openssh.com"] });

    private async Task MoveAsync(SshAlgorithms algorithms)
    {
        await using var client = _server.SftpClient(options => options with { Algorithms = algorithms });
        if (Direction == WorkKind.Upload)
            await client.UploadFileAsync(_local, Remote, new UploadOptions { Overwrite = OverwriteMode.Always });
        else await client.DownloadFileAsync(Remote, _local, new DownloadOptions { Overwrite = OverwriteMode.Always });
    }
}
