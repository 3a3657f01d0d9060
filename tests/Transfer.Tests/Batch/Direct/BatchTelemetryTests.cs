using System.Net;
using Transfer.Batch;
using Transfer.Ftp;
using Transfer.TestSupport.Exec;
using Transfer.TestSupport.Ftp;
using Transfer.Testing;
using Transfer.Tests.Batch.Spool;
using Transfer.Tests.Engine;

namespace Transfer.Tests.Batch.Direct;

/// <summary>What a batch moves counts as what clients move does, and a batch is one operation. Alone: it hears of all that is metered in
/// the process.</summary>
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
        using var telemetry = new TelemetryRecorder();

        await using (var receiver = BatchReceiver.Listen(to.Path,
            new BatchReceiverOptions { Listen = new IPEndPoint(IPAddress.Loopback, 0) }))
        {
            server = $"{new Uri(receiver.Address.ToString()).Host}:{receiver.EndPoint.Port}";
            var receiving = receiver.ReceiveAsync();
            await new BatchSender(receiver.Address).SendAsync(from.Path).Soon();
            await receiving.Soon();
        }

        Assert.That(telemetry.Io, Is.EquivalentTo(new Dictionary<string, long>
        {
            [$"transmit transfer {server}"] = 301_000,
            [$"receive transfer {server}"] = 301_000,
        }));
        Assert.That(telemetry.Spans, Is.EquivalentTo(new[] { "send", "receive" }));
    }

    [Test]
    [Platform(Exclude = "Win", Reason = "It needs a POSIX shell and tar.")]
    public async Task A_batch_by_commands_is_one_operation_and_its_content_is_counted_once()
    {
        if (OperatingSystem.IsWindows()) return;
        using var from = new TempFolder();
        using var there = new TempFolder();
        for (var i = 0; i < 300; i++) from.Add($"d{i % 3}/f{i}", new byte[100]);
        await using var host = new ShellHost();
        var options = new BatchOptions { Mode = BatchMode.Always };
        using var telemetry = new TelemetryRecorder();

        var up = await host.UploadDirectoryAsync(from.Path, there["in"], options).Soon();
        Assert.That((up.Way, up.Failed), Is.EqualTo((BatchWay.Tar, 0L)));
        Assert.That(telemetry.Io, Is.EquivalentTo(new Dictionary<string, long> { ["transmit file :"] = 30_000 }));
        var down = await host.DownloadDirectoryAsync(there["in"], from["back"], options).Soon();
        Assert.That((down.Way, down.Failed), Is.EqualTo((BatchWay.Tar, 0L)));

        Assert.That(telemetry.Io["receive file :"], Is.EqualTo(30_000));
        Assert.That(telemetry.Operations, Is.EqualTo(new[] { "batch_upload", "batch_download" }));
        Assert.That(telemetry.Spans, Is.EqualTo(telemetry.Operations));
    }

    [Test]
    public async Task A_batch_through_a_store_is_one_operation_on_each_side_and_counts_the_bytes_of_archives_and_records()
    {
        using var spool = new SpoolHarness();
        var count = spool.Fill(large: 1_000_000);
        await using var server = await FtpTestServer.StartAsync(new() { Store = new NoReplaceStore(new DirectoryStore(spool.Root)) });
        await using var client = new FtpTransferClient(server.Uri, new FtpOptions { Credential = new TransferCredential("demo", "demo") });
        var sender = new SpoolSender(client, "spool", spool.SenderKey, spool.SenderOptions);
        var fetcher = new SpoolFetcher(client, "spool", "ann", spool.Key("ann"), spool.FetcherOptions("ann"));
        var address = $"ftp {server.Uri.Host}:{server.Uri.Port}";
        using var telemetry = new TelemetryRecorder();

        await sender.SendAsync(spool.From, spool.Recipients("ann")).Soon();
        var stored = Directory.GetFiles(spool.Job).Sum(file => new FileInfo(file).Length);
        var archives = spool.Archives.Sum(file => new FileInfo(file).Length);
        Assert.That(telemetry.Io, Is.EquivalentTo(new Dictionary<string, long> { [$"transmit {address}"] = stored }));
        var fetched = await fetcher.FetchAsync(spool.To("ann")).Soon();

        Assert.That(fetched.Files, Is.EqualTo(count));
        Assert.That(telemetry.Io[$"receive {address}"], Is.InRange(archives, stored + 10_000), "records may be read twice");
        Assert.That(telemetry.Io[$"transmit {address}"], Is.GreaterThan(stored), "a confirmation");
        Assert.That(telemetry.Operations, Is.EqualTo(new[] { "send", "fetch" }));
        Assert.That(telemetry.Spans, Is.EqualTo(telemetry.Operations));
    }
}
