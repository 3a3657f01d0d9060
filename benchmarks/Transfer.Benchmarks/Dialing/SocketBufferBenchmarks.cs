using System.Net;
using System.Net.Sockets;
using BenchmarkDotNet.Attributes;
using Microsoft.Extensions.Logging.Abstractions;
using Transfer.Benchmarks.Columns;
using Transfer.Dialing;
using Transfer.Sessions;

namespace Transfer.Benchmarks.Dialing;

/// <summary>
/// One stream over loopback with the send buffer set or left alone, and writes as large as clients make them. Loopback has no delay, so a
/// small buffer costs
/// changes of threads here and not bandwidth: on a link it costs both.
/// </summary>
[Moves(Volume)]
public class SocketBufferBenchmarks
{
    private const int Volume = 256 << 20;
    private const int StockSize = 8 * 1024;
    private const int Large = 64 * 1024;

    private readonly byte[] _data = new byte[Large];
    private readonly LoopbackListener _listener = new(DrainAsync);
    private Socket _socket = null!;

    [GlobalSetup(Target = nameof(Stock))]
    public void SetUpStock() => Dial(StockSize);

    [Benchmark(Baseline = true, Description = "send buffer 8 KiB, writes of 8 KiB")]
    public Task Stock() => SendAsync(StockSize);

    [GlobalSetup(Target = nameof(StockBuffer))]
    public void SetUpStockBuffer() => Dial(StockSize);

    [Benchmark(Description = "send buffer 8 KiB, writes of 64 KiB")]
    public Task StockBuffer() => SendAsync(Large);

    [GlobalSetup(Target = nameof(OneMegabyte))]
    public void SetUpOneMegabyte() => Dial(1 << 20);

    [Benchmark(Description = "send buffer 1 MiB, writes of 64 KiB")]
    public Task OneMegabyte() => SendAsync(Large);

    [GlobalSetup(Target = nameof(Policy))]
    public void SetUpPolicy() => Dial(null);

    [Benchmark(Description = "buffer by our policy, writes of 64 KiB")]
    public Task Policy() => SendAsync(Large);

    [GlobalCleanup]
    public void CleanUp()
    {
        _socket.Dispose();
        _listener.Dispose();
    }

    private void Dial(int? sendBuffer)
    {
        var dialer = new Dialer(new DialOptions { SendBufferSize = sendBuffer }, NullLogger.Instance, TimeProvider.System);
        _socket = dialer.DialAsync(IPAddress.Loopback.ToString(), _listener.EndPoint.Port,
            new DialHints { Sends = true }).AsTask().Result.Socket;
    }

    // The last byte's answer ends an invocation: everything has arrived.
    private async Task SendAsync(int size)
    {
        for (var sent = 0; sent < Volume; sent += size) await _socket.SendAsync(_data.AsMemory(0, size));
        await _socket.ReceiveAsync(_data.AsMemory(0, 1));
    }

    private static async Task DrainAsync(Socket socket)
    {
        var buffer = new byte[256 * 1024];
        var left = Volume;
        int count;
        while ((count = await socket.ReceiveAsync(buffer)) > 0)
        {
            left -= count;
            if (left > 0) continue;
            await socket.SendAsync(buffer.AsMemory(0, 1));
            left += Volume;
        }
    }
}
