using System.Globalization;
using Transfer.ServerTests;
using Transfer.ServerTests.Servers;
using Transfer.Wan.Beds;
using Transfer.Wan.Link;
using Transfer.Wan.Records;
using Transfer.Wan.Reports;
using Transfer.Wan.Runs;
using Transfer.Wan.Scenarios;
using Transfer.Wan.Scenarios.Catalog;

namespace Transfer.Wan.Commands;

/// <summary>
/// <c>Transfer.Wan REPORT</c>: measures, then writes the report. 0: all was measured or is said to be missing; 1: some turns failed.
/// </summary>
internal static class ReportCommand
{
    public static async Task<int> RunAsync(WanReport report, ReportOptions options, CancellationToken ct)
    {
        var directory = Directory.CreateDirectory(options.Directory ?? Path.Combine(ServerFiles.Repository, "docs", "reports")).FullName;
        Directory.CreateDirectory(Path.Combine(directory, "data"));
        var lines = DataFile(report, directory);
        var measured = options.IsRewrite ? RecordLines.ReadFile(lines) : await MeasureAsync(report, options, lines, ct);
        Write(report, measured, directory);
        await Console.Error.WriteLineAsync($"{Path.Combine(directory, report.Name + ".md")}, from {lines}");
        // It shows what was measured here.
        var targets = DataFile(Targets.Report, directory);
        if (report != Targets.Report && File.Exists(targets)) Write(Targets.Report, RecordLines.ReadFile(targets), directory);
        return measured.OfType<Measured>().Any(turn => turn.Error is not null) ? 1 : 0;
    }

    private static async Task<IReadOnlyList<WanRecord>> MeasureAsync(WanReport report, ReportOptions options, string lines,
        CancellationToken ct)
    {
        if (report.IsInMemory) TestHost.PreferMemory();
        var scenarios = Chosen(report, options);
        using var records = new RecordFile(lines);
        await MeasureAsync(report, options, scenarios, records, ct);
        return [.. records.Records];
    }

    private static string DataFile(WanReport report, string directory) => Path.Combine(directory, "data", report.Name + ".jsonl");

    private static void Write(WanReport report, IEnumerable<WanRecord> own, string directory) =>
        ReportWriter.Write(report.Name, [.. Others(report, directory), .. own], directory);

    /// <summary>The targets' report takes what it does not measure itself from the others, as they were last measured.</summary>
    private static IEnumerable<WanRecord> Others(WanReport report, string directory) => report != Targets.Report
        ? []
        : AllReports.All
            .Where(other => other != report)
            .Select(other => DataFile(other, directory))
            .Where(File.Exists)
            .SelectMany(RecordLines.ReadFile);

    /// <summary>The scenarios, those of one link together: links are checked when they are made.</summary>
    private static List<Scenario> Chosen(WanReport report, ReportOptions options)
    {
        var scenarios = (options.Quick ? report.Quick : report.Full)
            .Where(scenario => options.Only is null || scenario.Name.Contains(options.Only, StringComparison.OrdinalIgnoreCase))
            .GroupBy(scenario => scenario.LinkName)
            .SelectMany(link => link)
            .ToList();
        return scenarios.Count > 0
            ? scenarios : throw new UsageException($"{report.Name} has no scenario with '{options.Only}' in its name.");
    }

    private static async Task MeasureAsync(WanReport report, ReportOptions options, List<Scenario> scenarios, RecordFile records,
        CancellationToken ct)
    {
        var time = TimeProvider.System;
        var started = time.GetTimestamp();
        await using var bed = Bed(options, scenarios);
        records.Add(new RunStarted
        {
            Report = report.Name,
            Quick = options.Quick,
            Command = options.ToString(),
            Started = time.GetUtcNow(),
            Commit = MachineFacts.Commit(),
            Machine = MachineFacts.Machine(),
            Kernel = MachineFacts.Kernel(),
            CongestionControl = bed.CongestionControl,
            Versions = MachineFacts.Versions(),
        });
        var runner = new ScenarioRunner(bed, new DataSets(), records, Console.Error);
        foreach (var scenario in scenarios) await runner.RunAsync(scenario, options.Rounds ?? scenario.Rounds, ct);
        await Console.Error.WriteLineAsync(string.Create(
            CultureInfo.InvariantCulture,
            $"{time.GetElapsedTime(started).TotalSeconds:0} s in all; the link took {bed.ProcessorSeconds ?? 0:0.0} s of processor time"));
    }

    private static TestBed Bed(ReportOptions options, List<Scenario> scenarios)
    {
        if (LinkFactory.WhyNot() is { } why)
        {
            Console.Error.WriteLine(
                $"No link can be made here ({why}): the one in process serves, with the embedded server and our own clients only.");
            return new EmbeddedBed();
        }

        var first = scenarios.Select(scenario => scenario.Link).FirstOrDefault(link => link is not null) ?? WanLinks.Lan;
        return new LinkedBed(LinkFactory.Create(LinkSettings.For(first), options.Netem, options.CongestionControl));
    }
}
