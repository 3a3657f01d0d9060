using BenchmarkDotNet.Attributes;
using Transfer.Sftp.Ssh.Ciphers;

namespace Transfer.Benchmarks.Ssh;

/// <summary>One row a cipher, against the one that is offered first.</summary>
public abstract class CipherBenchmarks
{
    /// <summary>Bytes of data in a packet: what OpenSSH sends at most, and something small.</summary>
    [Params(32 * 1024, 256)]
    public int PacketSize { get; set; }

    [GlobalSetup(Target = nameof(Aes128Gcm))]
    public void SetUpAes128Gcm() => SetUp("aes128-gcm@openssh.com", null);

    [Benchmark(Baseline = true, Description = "aes128-gcm")]
    public Task Aes128Gcm() => RunAsync();

    [GlobalSetup(Target = nameof(Aes256Gcm))]
    public void SetUpAes256Gcm() => SetUp("aes256-gcm@openssh.com", null);

    [Benchmark(Description = "aes256-gcm")]
    public Task Aes256Gcm() => RunAsync();

    [GlobalSetup(Target = nameof(Aes128CtrSha256))]
    public void SetUpAes128CtrSha256() => SetUp("aes128-ctr", "hmac-sha2-256");

    [Benchmark(Description = "aes128-ctr hmac-sha2-256")]
    public Task Aes128CtrSha256() => RunAsync();

    [GlobalSetup(Target = nameof(Aes128CtrSha256Etm))]
    public void SetUpAes128CtrSha256Etm() => SetUp("aes128-ctr", "hmac-sha2-256-etm@openssh.com");

    [Benchmark(Description = "aes128-ctr hmac-sha2-256-etm")]
    public Task Aes128CtrSha256Etm() => RunAsync();

    [GlobalSetup(Target = nameof(Aes256CtrSha512))]
    public void SetUpAes256CtrSha512() => SetUp("aes256-ctr", "hmac-sha2-512");

    [Benchmark(Description = "aes256-ctr hmac-sha2-512")]
    public Task Aes256CtrSha512() => RunAsync();

    [GlobalSetup(Target = nameof(Aes256CtrSha512Etm))]
    public void SetUpAes256CtrSha512Etm() => SetUp("aes256-ctr", "hmac-sha2-512-etm@openssh.com");

    [Benchmark(Description = "aes256-ctr hmac-sha2-512-etm")]
    public Task Aes256CtrSha512Etm() => RunAsync();

    protected abstract void SetUp(string cipher, string? mac);

    protected abstract Task RunAsync();

    /// <summary>A cipher with keys of zeros: their value does not change the time.</summary>
    private protected static PacketCipher Create(string cipher, string? mac)
    {
        var algorithm = CipherAlgorithm.Get(cipher);
        var authentication = mac is null ? null : MacAlgorithm.Get(mac);
        return algorithm.Create(new byte[algorithm.KeySize], new byte[algorithm.NonceSize], authentication,
            new byte[authentication?.Size ?? 0]);
    }
}
