using System.Net;
using System.Net.Sockets;
using BenchmarkDotNet.Attributes;
using Microsoft.Extensions.Logging.Abstractions;
using Transfer.Dialing;

namespace Transfer.Benchmarks.Dialing;

/// <summary>What the dialer costs on top of a socket when nothing is slow: options, buffer policy, race, congestion control.</summary>
public class LoopbackDialBenchmarks
{
    private readonly LoopbackListener _listener = new();
    private readonly Dialer _dialer = new(new DialOptions(), NullLogger.Instance, TimeProvider.System);

    [GlobalCleanup]
    public void CleanUp() => _listener.Dispose();

    [Benchmark(Baseline = true, Description = "bare socket")]
    public async Task Socket()
    {
        using var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        await socket.ConnectAsync(_listener.EndPoint);
    }

    [Benchmark(Description = "dialer")]
    public async Task Dialer()
    {
        using var connection = await _dialer.DialAsync(IPAddress.Loopback.ToString(), _listener.EndPoint.Port);
    }
}
