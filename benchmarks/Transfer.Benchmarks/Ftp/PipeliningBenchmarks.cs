using BenchmarkDotNet.Attributes;
using Microsoft.Extensions.Logging.Abstractions;
using Transfer.Ftp.Protocol;

namespace Transfer.Benchmarks.Ftp;

/// <summary>
/// A control connection whose server answers at once and from memory, by the command: what sending costs us when waiting costs nothing. On
/// a link each
/// write that is waited for costs a round trip on top.
/// </summary>
public class PipeliningBenchmarks
{
    private const int Commands = 320;
    private const int Batch = 8;

    private readonly FtpCommand[] _commands = [
        .. Enumerable.Range(0, Commands).Select(i => new FtpCommand("SIZE", $"/reports/report-{i:000000}.csv"))];
    private ControlConnection _connection = null!;

    [GlobalSetup]
    public void SetUp()
    {
        var settings = new ControlConnectionSettings { Host = "memory", Logger = NullLogger.Instance };
        _connection = ControlConnection.AttachAsync(new AnsweringStream(), settings, CancellationToken.None).AsTask().Result;
        _connection.GreetingAsync(CancellationToken.None).AsTask().Wait();
    }

    [GlobalCleanup]
    public void CleanUp() => _connection.DisposeAsync().AsTask().Wait();

    [Benchmark(Baseline = true, OperationsPerInvoke = Commands, Description = "one command a write")]
    public Task OneAtATime() => SendAsync(1);

    [Benchmark(OperationsPerInvoke = Commands, Description = "8 commands a write")]
    public Task InBatches() => SendAsync(Batch);

    [Benchmark(OperationsPerInvoke = Commands, Description = "320 commands a write")]
    public Task Together() => SendAsync(Commands);

    private async Task SendAsync(int together)
    {
        for (var at = 0; at < Commands; at += together)
        {
            foreach (var pending in await _connection.SendAsync(new ArraySegment<FtpCommand>(_commands, at, together),
                CancellationToken.None))
            {
                await pending.GetFinalReplyAsync(CancellationToken.None);
            }
        }
    }
}
