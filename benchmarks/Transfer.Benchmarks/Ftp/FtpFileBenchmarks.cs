using BenchmarkDotNet.Attributes;
using Transfer.Ftp;
using Transfer.ServerTests;
using Transfer.Sessions;

namespace Transfer.Benchmarks.Ftp;

/// <summary>
/// A folder to and from a server on loopback, whose round trips cost next to nothing: what is left is the work of both sides. One
/// invocation an iteration:
/// every file leaves a port behind that cannot be used for a minute, and a system has some 28,000 of them.
/// </summary>
[InvocationCount(1)]
[MaxIterationCount(MostIterations)]
public abstract partial class FtpFileBenchmarks
{
    private const int MostIterations = 16;
    private const string RemoteSource = "/down";
    private const string RemoteTarget = "/up";

    private readonly string _localSource = Path.Combine(TestHost.Folder, "up");
    private readonly string _localTarget = Path.Combine(TestHost.Folder, "down");
    private FtpTarget _target = null!;
    private FtpTransferClient _client = null!;

    public static IEnumerable<string> Servers => FtpTarget.Names;

    [ParamsSource(nameof(Servers))]
    public string Server { get; set; } = "";

    [Params(WorkKind.Download, WorkKind.Upload)]
    public WorkKind Direction { get; set; }

    protected abstract int Files { get; }

    protected abstract int FileSize { get; }

    [GlobalSetup]
    public void SetUp()
    {
        _target = FtpTarget.StartAsync(Server).Result;
        _client = _target.Client();
        Directory.CreateDirectory(_localSource);
        Directory.CreateDirectory(_localTarget);
        var content = new byte[FileSize];
        for (var i = 0; i < Files; i++)
        {
            Random.Shared.NextBytes(content);
            if (Direction == WorkKind.Upload) File.WriteAllBytes(Path.Combine(_localSource, $"file-{i:0000}"), content);
            else _target.Plant($"{RemoteSource}/file-{i:0000}", content);
        }
    }

    [GlobalCleanup]
    public void CleanUp()
    {
        CleanUpPeers();
        _client.DisposeAsync().AsTask().Wait();
        _target.DisposeAsync().AsTask().Wait();
        Directory.Delete(_localSource, recursive: true);
        Directory.Delete(_localTarget, recursive: true);
    }

    [Benchmark(Baseline = true, Description = "1 session")]
    public Task OneSession() => MoveAsync(1);

    [Benchmark(Description = "2 sessions")]
    public Task TwoSessions() => MoveAsync(2);

    [Benchmark(Description = "4 sessions")]
    public Task FourSessions() => MoveAsync(4);

    [Benchmark(Description = "8 sessions")]
    public Task EightSessions() => MoveAsync(8);

    // In FtpFileBenchmarks.FluentFtp.cs, with -p:FluentFtp=true.
    partial void CleanUpPeers();

    private async Task MoveAsync(int sessions)
    {
        var options = new DirectoryOptions { Overwrite = OverwriteMode.Always, Sessions = sessions };
        var result = Direction == WorkKind.Upload
            ? await _client.UploadDirectoryAsync(_localSource, RemoteTarget, options)
            : await _client.DownloadDirectoryAsync(RemoteSource, _localTarget, options);
        if (result.Failed > 0)
            throw new InvalidOperationException($"{result.Failed} files failed, the first with: {result.Failures[0].Error?.Message}");
    }
}
