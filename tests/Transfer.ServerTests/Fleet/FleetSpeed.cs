using System.Diagnostics;
using System.Globalization;
using Transfer.ServerTests.Servers;
using Transfer.ServerTests.Support;

namespace Transfer.ServerTests.Fleet;

/// <summary>The rows of docs/reports/fleet.md: the same plan by fleets of different size, and by one that loses workers.</summary>
[TestFixture]
[Explicit("Measures the rows of docs/reports/fleet.md: ./build.sh fleet.")]
public sealed class FleetSpeed() : FleetFixture(Limited)
{
    private const int Files = 128;
    private const int Length = 100_000;
    private const int Parts = 16;

    // Of a session, of which each worker has two: what a worker gets is less than its processor could do.
    private static readonly ServerVariant Limited =
        ServerVariant.Plain with { Name = "Speed", VsftpdSettings = "local_max_rate=150000\n" };

    [Test]
    public async Task The_rows_of_the_report()
    {
        for (var i = 0; i < Files; i++)
        {
            var folder = Directory.CreateDirectory(Path.Combine(Source, $"d{i % 8}")).FullName;
            await File.WriteAllBytesAsync(Path.Combine(folder, $"f{i}"), Bytes.Random(Length, seed: i));
        }

        List<string> rows =
        [
            "| workers | killed | seconds | MB/s | against one worker | files sent | files confirmed |",
            "|---:|---:|---:|---:|---:|---:|---:|",
        ];
        var one = 0d;
        foreach (var (workers, killed) in new[] { (1, 0), (2, 0), (4, 0), (4, 2) })
        {
            var (seconds, end) = await MeasureAsync(workers, killed);
            if (workers == 1) one = seconds;
            rows.Add(string.Create(
                CultureInfo.InvariantCulture,
                $"| {workers} | {killed} | {seconds:f1} | {Files * Length / 1e6 / seconds:f1} | {one / seconds:f1}x | {end.Files} | {end.Confirmed} |"));
        }
        if (Environment.GetEnvironmentVariable("TRANSFER_FLEET_REPORT") is { } report) await File.WriteAllLinesAsync(report, rows);
        TestContext.Out.WriteLine(string.Join('\n', rows));
    }

    private async Task<(double Seconds, PlanState End)> MeasureAsync(int workers, int killed)
    {
        Directory.Delete(Server.Local(Remote), recursive: true);
        Directory.CreateDirectory(Server.Local(Remote));
        ServerUser.Own(Server.Local(Remote));
        await StartAsync(workers, ("Fleet:CheckIn", "00:00:02"));
        var plan = $"speed-{workers}-{killed}";
        var began = Stopwatch.GetTimestamp();
        await SubmitAsync(Workers[0], plan, Parts);
        await KillMidwayAsync(plan, killed);
        var end = await Workers[0].WaitAsync(plan, state => state.State == "Done", "the fleet finishes");
        var seconds = Stopwatch.GetElapsedTime(began).TotalSeconds;
        Assert.That(TestTree.Differences(Source, Server.Local(Remote), TimeSpan.FromSeconds(1)), Is.Empty);
        Assert.That((end.Files + end.Confirmed, end.Failed), Is.EqualTo((Files, 0)));
        await StopWorkers();
        return (seconds, end);
    }
}
