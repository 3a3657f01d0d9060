using BenchmarkDotNet.Attributes;
using Microsoft.Extensions.Logging.Abstractions;
using Transfer.Dialing;

namespace Transfer.Benchmarks.Dialing;

/// <summary>
/// A host with two addresses, the first of which is silent, behind a name server that answers questions for names slowly. The waiting is
/// played (how long is in
/// <see cref="PlayedNetwork"/>, and less than it often is); resolving in the right direction, racing and connecting are the dialer's own.
/// </summary>
public class DialingBenchmarks
{
    private readonly PlayedNetwork _stock = new(looksBackwards: true);
    private readonly PlayedNetwork _plain = new(looksBackwards: false);

    [GlobalCleanup]
    public void CleanUp()
    {
        _stock.Dispose();
        _plain.Dispose();
    }

    [Benchmark(Baseline = true, Description = "reverse look-up, one address at a time")]
    public Task Stock() => DialAsync(_stock, OneAtATime);

    [Benchmark(Description = "one address at a time")]
    public Task WithoutReverseLookUp() => DialAsync(_plain, OneAtATime);

    [Benchmark(Description = "reverse look-up, addresses raced")]
    public Task Raced() => DialAsync(_stock, new DialOptions());

    [Benchmark(Description = "as we do it")]
    public Task Both() => DialAsync(_plain, new DialOptions());

    // The next address is tried only when the one before has failed.
    private static DialOptions OneAtATime => new() { ConnectionAttemptDelay = TimeSpan.FromHours(1) };

    private static async Task DialAsync(PlayedNetwork network, DialOptions options)
    {
        var dialer = new Dialer(options, NullLogger.Instance, TimeProvider.System, network, NetworkLimits.Current);
        using var connection = await dialer.DialAsync("files.example", network.Port);
    }
}
