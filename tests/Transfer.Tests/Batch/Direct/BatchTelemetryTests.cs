using System.Diagnostics.Metrics;
using System.Net;
using Transfer.Batch;
using Transfer.Tests.Engine;

namespace Transfer.Tests.Batch.Direct;

/// <summary>What a batch moves counts as what clients move does. Alone: it hears of all that is metered in the process.</summary>
[TestFixture]
[NonParallelizable]
public sealed class BatchTelemetryTests
{
    [Test]
    public async Task The_bytes_of_a_batch_are_counted_on_both_sides()
    {
        using var from = new TempFolder();
        using var to = new TempFolder();
        from.Add("large", new byte[300_000]);
        from.Add("small", new byte[1_000]);
        string server;
        var io = new Dictionary<string, long>();
        using var meters = new MeterListener();
        meters.InstrumentPublished = (instrument, listener) =>
        {
            if (instrument is { Meter.Name: TransferTelemetry.MeterName, Name: TransferTelemetry.Io })
                listener.EnableMeasurementEvents(instrument);
        };
        meters.SetMeasurementEventCallback<long>((_, value, tags, _) =>
        {
            var told = tags.ToArray().ToDictionary(tag => tag.Key, tag => tag.Value);
            var key = $"{told["network.io.direction"]} {told["url.scheme"]} {told["server.address"]}:{told["server.port"]}";
            lock (io) io[key] = io.GetValueOrDefault(key) + value;
        });
        meters.Start();

        await using (var receiver = BatchReceiver.Listen(to.Path,
            new BatchReceiverOptions { Listen = new IPEndPoint(IPAddress.Loopback, 0) }))
        {
            server = $"{new Uri(receiver.Address.ToString()).Host}:{receiver.EndPoint.Port}";
            var receiving = receiver.ReceiveAsync();
            await new BatchSender(receiver.Address).SendAsync(from.Path).Soon();
            await receiving.Soon();
        }

        Assert.That(io, Is.EquivalentTo(new Dictionary<string, long>
        {
            [$"transmit transfer {server}"] = 301_000,
            [$"receive transfer {server}"] = 301_000,
        }));
    }
}
