using System.Net;
using BenchmarkDotNet.Attributes;

namespace Transfer.Benchmarks.Dialing;

/// <summary>
/// The look-up of an address by the system, which finds this machine's names in its own file. GetHostEntry looks the address up backwards
/// too: where the resolver has no such record, that takes the time that <see cref="DialingBenchmarks"/> plays.
/// </summary>
public class AddressBenchmarks
{
    private const string Literal = "127.0.0.1";

    [Params(Literal, "localhost")]
    public string Host { get; set; } = Literal;

    [Benchmark(Baseline = true, Description = "GetHostAddresses")]
    public Task<IPAddress[]> Addresses() => Dns.GetHostAddressesAsync(Host);

    [Benchmark(Description = "GetHostEntry")]
    public Task<IPHostEntry> Entry() => Dns.GetHostEntryAsync(Host);
}
