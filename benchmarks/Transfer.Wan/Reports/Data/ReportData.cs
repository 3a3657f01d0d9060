using Transfer.Wan.Records;

namespace Transfer.Wan.Reports.Data;

/// <summary>What a report is made of: the run it is about, or several, and their results.</summary>
internal sealed record ReportData(IReadOnlyList<Run> Runs, IReadOnlyList<Result> Results)
{
    public static ReportData Empty { get; } = new([], []);

    /// <summary>What was not measured in any of the runs.</summary>
    public IEnumerable<LeftOut> LeftOut => Runs.SelectMany(run => run.LeftOut).Where(left =>
        left.Client is null
        || !Results.Any(
            result =>
            result.Client == left.Client
            && result.Scenario.Equals(left.Scenario, StringComparison.OrdinalIgnoreCase) && result.Seconds is not null));

    /// <summary>The last run of that report.</summary>
    public static ReportData OfOne(string report, IReadOnlyList<WanRecord> records) =>
        From([.. Run.Split(records).Where(run => run.Started is null || run.Started.Report == report).TakeLast(1)]);

    /// <summary>The last run of every report in the records, in the order in which they were begun.</summary>
    public static ReportData OfAll(IReadOnlyList<WanRecord> records)
    {
        var runs = Run.Split(records);
        return From(
            [.. runs.Where((run, index) => !runs.Skip(index + 1).Any(later => later.Started?.Report == run.Started?.Report))
                .OrderBy(run => run.Started?.Started)]);
    }

    private static ReportData From(IReadOnlyList<Run> runs) => new(runs, [.. runs.SelectMany(Result.Of)]);
}
