using System.Globalization;
using System.Text;
using Transfer.Cli.Output;
using Transfer.Testing;

namespace Transfer.Cli.Demo;

/// <summary>Both ways for real, one after the other, over one link a protocol.</summary>
internal sealed class DemoRun(Invocation invocation)
{
    /// <summary>A long link that carries whatever is under way, but no more than a usual TCP window of each connection.</summary>
    private static readonly LinkOptions Link = new() { RoundTrip = TimeSpan.FromMilliseconds(50), BufferBytes = 64 * 1024 };

    private int _differences;

    public async Task<int> RunAsync(CancellationToken ct)
    {
        using var files = new DemoFiles();
        await files.CreateAsync(ct);
        var window = Quantity.Bytes(Link.BufferBytes!.Value);
        invocation.Messages.Info(string.Create(
            CultureInfo.InvariantCulture,
            $"Embedded servers behind a link: round trip {Link.RoundTrip.TotalMilliseconds} ms, {window} under way a connection."));

        var common = new TransferClientOptions
        {
            Credential = new TransferCredential("demo", "demo"),
            LoggerFactory = invocation.CreateLoggers(),
        };
        var rows = new List<DemoWork>();
        await using (var ftp = await DemoServer.StartFtpAsync(Link, common, ct)) rows.AddRange(await RunAsync(ftp, files, ct));
        await using (var sftp = await DemoServer.StartSftpAsync(Link, common, ct)) rows.AddRange(await RunAsync(sftp, files, ct));

        await invocation.Host.Output.WriteAsync(Encoding.UTF8.GetBytes(DemoTable.Render(invocation.Host, rows, Link.RoundTrip)), ct);
        if (_differences == 0)
        {
            invocation.Messages.Info("All contents are the same at both ends (SHA-256).");
            return ExitCode.Done;
        }

        invocation.Messages.Error($"contents differ: {Quantity.Files(_differences)}.");
        return ExitCode.SomeFailed;
    }

    private async Task<IReadOnlyList<DemoWork>> RunAsync(DemoServer server, DemoFiles files, CancellationToken ct)
    {
        var stock = await MeasureAsync(server, new StockWay(files), files, ct);
        var ours = await MeasureAsync(server, new OurWay(files), files, ct);
        return
        [
            new($"{server.Protocol}: {DemoFiles.Count} small files up", DemoFiles.Count, stock.Send, ours.Send),
            new($"{server.Protocol}: the same again, nothing new", DemoFiles.Count, stock.Again, ours.Again),
            new($"{server.Protocol}: 1 file of {Quantity.Bytes(DemoServer.LargeLength)} down", 1, stock.Fetch, ours.Fetch),
        ];
    }

    private async Task<(TimeSpan Send, TimeSpan Again, TimeSpan Fetch)> MeasureAsync(
        DemoServer server, DemoWay way, DemoFiles files, CancellationToken ct)
    {
        var target = files.Target($"{server.Protocol}{way.RemoteFolder.Replace('/', '.')}");
        (TimeSpan Send, TimeSpan Again, TimeSpan Fetch) times;
        await using (var client = way.Connect(server))
        {
            // An open session on both sides: the log-in is not what is compared.
            await client.ConnectAsync(ct);
            times = (
                await TimeAsync(() => way.SendAsync(client, ct)),
                await TimeAsync(() => way.SendAgainAsync(client, ct)),
                await TimeAsync(() => way.FetchAsync(client, target, ct)));
        }

        invocation.Messages.Info($"{server.Protocol}, {way.Name}: {Quantity.Time(times.Send + times.Again + times.Fetch)}");
        _differences += await files.CountDifferencesAsync(server.Store, way.RemoteFolder, ct);
        if (!await DemoFiles.IsLargeAsync(target, ct)) _differences++;
        return times;
    }

    private async Task<TimeSpan> TimeAsync(Func<Task> work)
    {
        var start = invocation.Host.TimeProvider.GetTimestamp();
        await work();
        return invocation.Host.TimeProvider.GetElapsedTime(start);
    }
}
