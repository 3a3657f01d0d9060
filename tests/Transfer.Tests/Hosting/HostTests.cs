using System.Diagnostics;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Diagnostics.HealthChecks;
using Microsoft.Extensions.Hosting;
using OpenTelemetry;
using OpenTelemetry.Metrics;
using OpenTelemetry.Trace;
using Transfer.Hosting;
using Transfer.Testing;
using MemoryStore = Transfer.Testing.MemoryStore;

namespace Transfer.Tests.Hosting;

/// <summary>A host as applications build one, with two clients, their health and OpenTelemetry.</summary>
[TestFixture]
public sealed class HostTests
{
    [Test]
    public async Task Two_clients_live_through_a_change_of_settings_and_a_server_that_stalls()
    {
        var (first, second, third) = (new MemoryStore(), new MemoryStore(), new MemoryStore());
        await using var inboxServer = await FtpTestServer.StartAsync(new FtpTestServerOptions { Store = first });
        await using var archiveServer = await FtpTestServer.StartAsync(new FtpTestServerOptions { Store = second });
        await using var nextServer = await FtpTestServer.StartAsync(new FtpTestServerOptions { Store = third });
        var (metrics, spans) = (new List<Metric>(), new List<Activity>());
        using var meters = Sdk.CreateMeterProviderBuilder().AddTransferInstrumentation().AddInMemoryExporter(metrics).Build();
        var tracers = Sdk.CreateTracerProviderBuilder().AddTransferInstrumentation().AddInMemoryExporter(spans).Build();

        var builder = new HostApplicationBuilder(new HostApplicationBuilderSettings { DisableDefaults = true });
        builder.Configuration.AddInMemoryCollection(new Dictionary<string, string?>
        {
            ["Inbox:Url"] = inboxServer.Uri.ToString(),
            ["Inbox:UserName"] = "demo",
            ["Inbox:Password"] = "demo",
            ["Archive:Url"] = archiveServer.Uri.ToString(),
            ["Archive:UserName"] = "demo",
            ["Archive:Password"] = "demo",
        });
        builder.Services.AddTransferClient("Inbox", builder.Configuration.GetSection("Inbox"))
            .AddHealthCheck(timeout: TimeSpan.FromSeconds(1));
        builder.Services.AddTransferClient("Archive", builder.Configuration.GetSection("Archive"))
            .AddHealthCheck(timeout: Eventually.Hang);

        using var host = builder.Build();
        await host.StartAsync();
        var inbox = host.Services.GetRequiredKeyedService<TransferClient>("Inbox");
        var archive = host.Services.GetRequiredKeyedService<TransferClient>("Archive");
        var health = host.Services.GetRequiredService<HealthCheckService>();
        await inbox.UploadAsync(new MemoryStream([1]), "/a").Soon();
        await archive.UploadAsync(new MemoryStream([1, 2]), "/b").Soon();
        await WaitForHealthAsync(health);

        builder.Configuration["Inbox:Url"] = nextServer.Uri.ToString();
        ((IConfigurationRoot)builder.Configuration).Reload();
        await inbox.UploadAsync(new MemoryStream([1, 2, 3]), "/c").Soon();
        Assert.That((first.Files, second.Files, third.Files), Is.EqualTo((new[] { "/a" }, new[] { "/b" }, new[] { "/c" })));

        var stall = nextServer.Faults.Stall(FtpFaults.AnyVerb, times: int.MaxValue);
        var report = await health.CheckHealthAsync().Soon();
        Assert.That((report.Status, report.Entries["transfer-Inbox"].Status, report.Entries["transfer-Archive"].Status),
            Is.EqualTo((HealthStatus.Unhealthy, HealthStatus.Unhealthy, HealthStatus.Healthy)));
        nextServer.Faults.Clear();
        stall.Release();
        await WaitForHealthAsync(health);

        await host.StopAsync();
        meters.ForceFlush();
        // The list of spans grows by those of other tests until then.
        tracers.Dispose();
        foreach (var (server, bytes) in new[] { (inboxServer, 1), (archiveServer, 2), (nextServer, 3) })
        {
            Assert.That(SentTo(metrics, server), Is.EqualTo(bytes));
            var ofServer = spans.Where(span => Equals(span.GetTagItem(TransferTelemetry.PortAttribute), server.EndPoint.Port)).ToArray();
            Assert.That(ofServer.Count(span => span.OperationName == "upload"), Is.EqualTo(1));
        }
    }

    // A busy machine may take longer than the check's second.
    private static async Task WaitForHealthAsync(HealthCheckService health)
    {
        using var limit = new CancellationTokenSource(Eventually.Hang);
        while ((await health.CheckHealthAsync(limit.Token)).Status != HealthStatus.Healthy) limit.Token.ThrowIfCancellationRequested();
    }

    private static long SentTo(List<Metric> metrics, FtpTestServer server)
    {
        var sum = 0L;
        foreach (ref readonly var point in metrics.Single(metric => metric.Name == TransferTelemetry.Io).GetMetricPoints())
        {
            var tags = new Dictionary<string, object?>();
            foreach (var tag in point.Tags) tags.Add(tag.Key, tag.Value);
            if (Equals(tags.GetValueOrDefault(TransferTelemetry.PortAttribute), server.EndPoint.Port)
                && Equals(tags[TransferTelemetry.DirectionAttribute], "transmit"))
            {
                sum += point.GetSumLong();
            }
        }

        return sum;
    }
}
