using System.CommandLine;
using System.Globalization;
using System.Text.Json;
using Transfer.Cli.Options;
using Transfer.Cli.Output;

namespace Transfer.Cli.Commands.Plans;

/// <summary>Adds up the results of a plan.</summary>
internal sealed class ReportVerb() : Verb("report", "[OPTIONS] DIR", "Show how far a plan is.")
{
    private const int Shown = 5;

    public override string Details => """
        DIR is the folder of plan. Printed are the parts that are done, what they sent, the failures, the parts that
        took the longest, and those to apply. The exit code is 0 when all parts and the last phase are done, else 1.
        """;

    public override IReadOnlyList<string> Examples => ["report /shared/plan", "report --json /shared/plan"];

    public override IReadOnlyList<(string Heading, IEnumerable<Option> Options)> Options(CliOptions options) => [Groups.Json(options)];

    public override bool IsForScripts => false;

    public override ArgumentSide SideOf(int index, int count) => ArgumentSide.Local;

    public override async Task<int> RunAsync(Invocation invocation, CancellationToken ct)
    {
        if (invocation.Paths.Count != 1) throw new UsageException("report wants the folder of a plan.");
        var report = await new PlanFolder(invocation.Paths[0]).ReadReportAsync(ct);
        if (invocation.Json)
        {
            await invocation.Host.WriteLineAsync(
                JsonSerializer.Serialize(ReportJson.Of(report, Shown), EntryJsonContext.Default.ReportJson), ct);
        }
        else
        {
            foreach (var line in Lines(report)) await invocation.Host.WriteLineAsync(line, ct);
        }
        return report.IsDone ? ExitCode.Done : ExitCode.SomeFailed;
    }

    private static IEnumerable<string> Lines(PlanReport report)
    {
        yield return $"{report.Done} of {report.Plan.Parts} parts done, last phase {Phase(report.Final)}";
        yield return $"{Quantity.Files(report.Files)}, {Quantity.Bytes(report.Bytes)} sent, {report.Unchanged} confirmed, "
            + $"{report.Deleted} deleted, {report.Failed} failed";
        foreach (var part in report.Results.Where(part => part.Error is not null))
            yield return $"{Title(part)}: {PrintableText.Of(part.Error!)}";
        foreach (var (part, failure) in report.Results.SelectMany(part => part.Failures.Select(failure => (part, failure))))
            yield return $"{Title(part)}: {PrintableText.Of(failure.Path)}: {PrintableText.Of(failure.Message)}";
        foreach (var part in report.Slowest.Take(Shown))
        {
            yield return $"{Title(part)} took {Quantity.Time(TimeSpan.FromSeconds(part.Seconds))} on {PrintableText.Of(part.Host)}: "
                + $"{Quantity.Files(part.Files)}, {Quantity.Bytes(part.Bytes)}";
        }
        if (report.Open.Any()) yield return "to apply: " + string.Join(' ', report.Open);
    }

    private static string Title(PartResult part) =>
        part.IsFinal ? "last phase" : string.Create(CultureInfo.InvariantCulture, $"part {part.Part}");

    private static string Phase(PartResult? final) => final is null ? "open" : final.IsDone ? "done" : "failed";
}
