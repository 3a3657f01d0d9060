using BenchmarkDotNet.Attributes;
using Transfer.Benchmarks.Columns;
using Transfer.Sessions;

namespace Transfer.Benchmarks.Sftp;

/// <summary>
/// The middle of a large file: WRITEs or READs of 255 KiB in SSH packets of 32 KiB through session, engine, channel, cipher and socket.
/// Opening, buffers and
/// limits are what they will be; what is allocated here is allocated for every packet. The server's cipher runs on the same processors.
/// </summary>
[Moves(Volume, PieceSize = 32 * 1024)]
public class SteadySftpBenchmarks
{
    private const long Volume = 256 << 20;

    // A session opens its window of bytes in flight step by step.
    private const long Ramp = 1L << 30;

    private SteadyTransfer _transfer = null!;

    [Params(WorkKind.Download, WorkKind.Upload)]
    public WorkKind Direction { get; set; }

    [GlobalSetup(Target = nameof(Aes128Gcm))]
    public void SetUpAes128Gcm() => SetUp("aes128-gcm@openssh.com", null);

    [Benchmark(Baseline = true, Description = "aes128-gcm")]
    public Task Aes128Gcm() => _transfer.MoveAsync(Volume);

    [GlobalSetup(Target = nameof(Aes256Gcm))]
    public void SetUpAes256Gcm() => SetUp("aes256-gcm@openssh.com", null);

    [Benchmark(Description = "aes256-gcm")]
    public Task Aes256Gcm() => _transfer.MoveAsync(Volume);

    [GlobalSetup(Target = nameof(Aes128CtrSha256Etm))]
    public void SetUpAes128CtrSha256Etm() => SetUp("aes128-ctr", "hmac-sha2-256-etm@openssh.com");

    [Benchmark(Description = "aes128-ctr hmac-sha2-256-etm")]
    public Task Aes128CtrSha256Etm() => _transfer.MoveAsync(Volume);

    [GlobalSetup(Target = nameof(Aes256CtrSha512))]
    public void SetUpAes256CtrSha512() => SetUp("aes256-ctr", "hmac-sha2-512");

    [Benchmark(Description = "aes256-ctr hmac-sha2-512")]
    public Task Aes256CtrSha512() => _transfer.MoveAsync(Volume);

    [GlobalCleanup]
    public void CleanUp() => _transfer.DisposeAsync().AsTask().Wait();

    private void SetUp(string cipher, string? mac)
    {
        _transfer = SteadyTransfer.StartAsync(Direction, cipher, mac).Result;
        _transfer.MoveAsync(Ramp).Wait();
    }
}
