using System.Globalization;
using System.Text;
using Transfer.Cli.Commands;
using Transfer.Cli.Output;
using Transfer.Ftp;
using Transfer.Testing;

namespace Transfer.Cli.Demo;

/// <summary>Both ways for real, one after the other, over one link.</summary>
internal sealed class DemoRun(Invocation invocation)
{
    private const long BytesPerSecond = 25_000_000;
    private static readonly TimeSpan RoundTrip = TimeSpan.FromMilliseconds(50);

    public async Task<int> RunAsync(CancellationToken ct)
    {
        using var files = new DemoFiles();
        await files.CreateAsync(ct);
        var store = new MemoryStore();
        await using var server = await FtpTestServer.StartAsync(
            new FtpTestServerOptions { Store = store, Link = new LinkOptions { RoundTrip = RoundTrip, BytesPerSecond = BytesPerSecond } }, ct);

        var common = new FtpOptions { Credential = new TransferCredential("demo", "demo"), LoggerFactory = invocation.CreateLoggers() };

        // What a stock client does not do (a temporary name, comparing sizes, dates) it is not charged for.
        var stockWay = new DemoWay(
            "One at a time", "/one-at-a-time", common with { Pipelining = FtpPipelining.Off, MaxSessions = 1 },
            new DirectoryOptions { Publish = PublishMode.Direct, Verify = VerificationMode.Reply, PreserveModified = false });
        var ourWay = new DemoWay("Transfer", "/transfer", common, new DirectoryOptions());

        invocation.Messages.Info(string.Create(
            CultureInfo.InvariantCulture,
            $"{DemoFiles.SmallCount} files of {Quantity.Bytes(DemoFiles.SmallLength)} and one of {Quantity.Bytes(DemoFiles.LargeLength)}, up and down; embedded server, round trip {RoundTrip.TotalMilliseconds} ms, {BytesPerSecond * 8 / 1_000_000} Mbit/s."));
        var stock = await MeasureAsync(stockWay, files, store, server, ct);
        var ours = await MeasureAsync(ourWay, files, store, server, ct);

        var table = DemoTable.Render(invocation.Host, stock.Times, ours.Times, RoundTrip);
        await invocation.Host.Output.WriteAsync(Encoding.UTF8.GetBytes(table), ct);
        if (stock.Differences + ours.Differences == 0)
        {
            invocation.Messages.Info("All contents are the same at both ends (SHA-256).");
            return ExitCode.Done;
        }

        invocation.Messages.Error($"contents differ: {stock.Differences} files the stock way, {ours.Differences} ours.");
        return ExitCode.SomeFailed;
    }

    private async Task<(DemoTimes Times, int Differences)> MeasureAsync(DemoWay way, DemoFiles files, MemoryStore store, FtpTestServer server, CancellationToken ct)
    {
        DemoTimes times;
        var back = files.Target(way.Folder.Trim('/'));
        var progress = new ProgressSum { Expected = 2 * (DemoFiles.SmallCount + 1) };
        await using (var client = new FtpTransferClient(server.Uri, way.Options))
        await using (new LiveProgress(invocation.Host, invocation.Messages, way.Name, progress))
        {
            // An open session on both sides: the log-in is not what is compared.
            await client.ConnectAsync(ct);
            times = new DemoTimes(
                SmallUp: await TimeAsync(progress, p => FolderAsync(client.UploadDirectoryAsync(files.SmallFolder, way.Folder + "/small", way.Files, p, ct))),
                LargeUp: await TimeAsync(progress, p => client.UploadFileAsync(files.LargeFile, way.Folder + "/large.bin", way.Upload, p, ct)),
                SmallDown: await TimeAsync(
                    progress, p => FolderAsync(client.DownloadDirectoryAsync(way.Folder + "/small", Path.Combine(back, "small"), way.Files, p, ct))),
                LargeDown: await TimeAsync(progress, p => client.DownloadFileAsync(way.Folder + "/large.bin", Path.Combine(back, "large.bin"), way.Download, p, ct)));
        }

        invocation.Messages.Info($"{way.Name}: {Quantity.Time(times.All)}");
        return (times, await files.CountDifferencesAsync(store, way.Folder, back, ct));
    }

    private async Task<TimeSpan> TimeAsync(ProgressSum progress, Func<IProgress<TransferProgress>, Task> run)
    {
        using var part = progress.Begin();
        var start = invocation.Host.TimeProvider.GetTimestamp();
        await run(part);
        return invocation.Host.TimeProvider.GetElapsedTime(start);
    }

    private static async Task FolderAsync(Task<JobResult> job)
    {
        if (await job is { Failed: > 0 } result) throw result.Failures[0].Error ?? new TransferException("An item failed.");
    }

    private sealed record DemoWay(string Name, string Folder, FtpOptions Options, DirectoryOptions Files)
    {
        public UploadOptions Upload => new() { Publish = Files.Publish, Verify = Files.Verify, PreserveModified = Files.PreserveModified };

        public DownloadOptions Download => new() { Publish = Files.Publish, Verify = Files.Verify, PreserveModified = Files.PreserveModified };
    }
}
