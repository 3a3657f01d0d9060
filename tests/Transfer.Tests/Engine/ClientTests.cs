using System.Diagnostics;
using System.Diagnostics.Metrics;

namespace Transfer.Tests.Engine;

[NonParallelizable]
public sealed class ClientTests
{
    [Test]
    public async Task The_endpoint_never_carries_the_password()
    {
        await using var client = new MemoryTransferClient(new(), endpoint: "memory://us%40er:p%3Ass%40@host:2121/a%20b/");
        Assert.That(client.Endpoint.ToString(), Does.Not.Contain("p%3Ass").And.Not.Contain("p:ss"));
        Assert.That(client.Endpoint.OriginalString, Does.Not.Contain("ss%40"));
        Assert.That((client.Endpoint.UserInfo, client.Endpoint.Host, client.Endpoint.Port, client.Endpoint.AbsolutePath),
            Is.EqualTo(("us%40er", "host", 2121, "/a%20b/")));
        Assert.That((client.Credential!.UserName, client.Credential.Password), Is.EqualTo(("us@er", "p:ss@")));
    }

    [Test]
    public async Task The_options_credential_goes_before_the_endpoints()
    {
        await using var client = new MemoryTransferClient(new(), new() { Credential = new("other", "secret") }, "memory://user:pass@host/");
        Assert.That(client.Credential!.UserName, Is.EqualTo("other"));
        await using var anonymous = new MemoryTransferClient(new());
        Assert.That(anonymous.Credential, Is.Null);
        await using var named = new MemoryTransferClient(new(), endpoint: "memory://user@host/");
        Assert.That((named.Credential!.UserName, named.Credential.Password), Is.EqualTo(("user", "")));
    }

    [TestCase("memory://host/a?b")]
    [TestCase("memory://host/a#b")]
    [TestCase("memory://host/a%0D%0ADELE%20x")]
    [TestCase("memory://host/a%00")]
    public void Endpoints_that_cannot_be_meant_are_refused(string endpoint) =>
        Assert.That(() => new MemoryTransferClient(new(), endpoint: endpoint), Throws.ArgumentException);

    [Test]
    public async Task Features_are_known_after_the_first_connection()
    {
        var store = new MemoryStore();
        await using var client = new MemoryTransferClient(store);
        Assert.That((client.Features.Server, store.Opened), Is.EqualTo(((string?)null, 0)));
        await client.ConnectAsync().AsTask().Soon();
        Assert.That((client.Features.Server, store.Opened), Is.EqualTo(("memory", 1)));
    }

    [Test]
    public async Task A_failed_connection_shows_early()
    {
        var store = new MemoryStore();
        store.Faults.On("open", Fault.Refusal(TransferError.Auth));
        await using var client = new MemoryTransferClient(store);
        Assert.That((await client.ConnectAsync().AsTask().Failure<TransferException>()).Error, Is.EqualTo(TransferError.Auth));
    }

    [Test]
    public void The_factory_goes_by_the_scheme()
    {
        var factory = new TransferClientFactory([new LocalTransferProvider()]);
        Assert.That(factory.Create(new Uri("FILE:///tmp/")), Is.InstanceOf<LocalTransferClient>());
        Assert.That(factory.Schemes, Is.EqualTo(new[] { "file" }));
        Assert.That(() => factory.Create(new Uri("gopher://host/")), Throws.InstanceOf<TransferException>()
            .With.Property("Error").EqualTo(TransferError.Unsupported).And.Message.Contains("gopher").And.Message.Contains("file"));
    }

    [Test]
    public async Task Operations_are_measured_and_traced()
    {
        var store = new MemoryStore();
        var server = $"host-{Guid.NewGuid():N}";
        await using var client = new MemoryTransferClient(store, endpoint: $"memory://{server}/");
        var durations = new List<(string Operation, string? Error)>();
        var io = new Dictionary<string, long>();
        var connections = 0;
        using var meters = new MeterListener();
        meters.InstrumentPublished = (instrument, listener) =>
        {
            if (instrument.Meter.Name == "Transfer") listener.EnableMeasurementEvents(instrument);
        };
        meters.SetMeasurementEventCallback<double>((instrument, value, tags, _) =>
        {
            if (instrument.Name != "transfer.client.operation.duration" || Tag(tags, "server.address") != server) return;
            lock (durations) durations.Add((Tag(tags, "transfer.operation")!, Tag(tags, "error.type")));
        });
        meters.SetMeasurementEventCallback<long>((instrument, value, tags, _) =>
        {
            if (instrument.Name != "transfer.client.io" || Tag(tags, "server.address") != server || Tag(tags, "url.scheme") != "memory")
                return;
            lock (io) io[Tag(tags, "network.io.direction")!] = io.GetValueOrDefault(Tag(tags, "network.io.direction")!) + value;
        });
        meters.SetMeasurementEventCallback<int>((instrument, value, tags, _) =>
        {
            if (instrument.Name == "transfer.client.connection.count" && Tag(tags, "server.address") == server) connections += value;
        });
        meters.Start();
        var spans = new List<Activity>();
        using var activities = new ActivityListener
        {
            ShouldListenTo = source => source.Name == "Transfer",
            Sample = (ref ActivityCreationOptions<ActivityContext> _) => ActivitySamplingResult.AllData,
            ActivityStopped = activity =>
            {
                lock (spans) if (Equals(activity.GetTagItem("server.address"), server)) spans.Add(activity);
            },
        };
        ActivitySource.AddActivityListener(activities);

        await client.UploadAsync(new MemoryStream(new byte[5000]), "/f").Soon();
        await client.DownloadAsync("/f", new MemoryStream()).Soon();
        await client.DownloadAsync("/no", new MemoryStream()).Failure<TransferException>();
        meters.RecordObservableInstruments();

        Assert.That(durations, Is.EqualTo(new[] { ("upload", null), ("download", null), ("download", "NotFound") }));
        Assert.That((io["transmit"], io["receive"], connections), Is.EqualTo((5000, 5000, 1)));
        Assert.That(spans.Select(span => (span.OperationName, span.Status)), Is.EqualTo(new[]
        {
            ("upload", ActivityStatusCode.Unset), ("download", ActivityStatusCode.Unset), ("download", ActivityStatusCode.Error),
        }));
    }

    [Test]
    public async Task An_operation_that_its_caller_cancels_is_no_error_in_the_telemetry()
    {
        var store = new MemoryStore();
        store.Faults.On("upload", new Fault { Hold = ct => Task.Delay(Timeout.Infinite, ct) });
        var server = $"host-{Guid.NewGuid():N}";
        await using var client = new MemoryTransferClient(store, endpoint: $"memory://{server}/");
        var errors = new List<string?>();
        using var meters = new MeterListener();
        meters.InstrumentPublished = (instrument, listener) =>
        {
            if (instrument is { Meter.Name: TransferTelemetry.MeterName, Name: TransferTelemetry.OperationDuration })
                listener.EnableMeasurementEvents(instrument);
        };
        meters.SetMeasurementEventCallback<double>((_, _, tags, _) =>
        {
            if (Tag(tags, "server.address") == server) errors.Add(Tag(tags, "error.type"));
        });
        meters.Start();
        using var cancel = new CancellationTokenSource(TimeSpan.FromMilliseconds(50));
        await client.UploadAsync(new MemoryStream(new byte[5000]), "/f",
            cancellationToken: cancel.Token).Failure<OperationCanceledException>();
        Assert.That(errors, Is.EqualTo(new string?[] { null }));
    }

    [Test]
    public async Task Files_that_are_put_in_line_again_are_counted()
    {
        var store = new MemoryStore();
        store.Faults.On("upload", new Fault { LoseBefore = true });
        store.Faults.On("upload", new Fault { LoseAfter = true }, nth: 3);
        using var local = new TempFolder();
        for (var i = 0; i < 5; i++) local.Add($"f{i}", [1, 2, 3]);
        var server = $"host-{Guid.NewGuid():N}";
        await using var client = new MemoryTransferClient(store, new TransferClientOptions { MaxSessions = 1 }, $"memory://{server}/");
        var retries = 0L;
        using var meters = new MeterListener();
        meters.InstrumentPublished = (instrument, listener) =>
        {
            if (instrument is { Meter.Name: "Transfer", Name: "transfer.client.retries" }) listener.EnableMeasurementEvents(instrument);
        };
        meters.SetMeasurementEventCallback<long>((_, value, tags, _) =>
        {
            if (Tag(tags, "server.address") == server) Interlocked.Add(ref retries, value);
        });
        meters.Start();

        var result = await client.UploadDirectoryAsync(local.Path, "/in").Soon();

        Assert.That((result.Files, result.Failed), Is.EqualTo((5L, 0L)));
        Assert.That(result.Retries, Is.EqualTo(2));
        Assert.That(Interlocked.Read(ref retries), Is.EqualTo(2), "what the job says");
    }

    private static string? Tag(ReadOnlySpan<KeyValuePair<string, object?>> tags, string name)
    {
        foreach (var tag in tags)
        {
            if (tag.Key == name) return tag.Value as string;
        }
        return null;
    }
}
