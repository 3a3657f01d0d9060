using Transfer.Wan.Records;
using Transfer.Wan.Reports.Charts;
using Transfer.Wan.Reports.Data;
using Transfer.Wan.Reports.Text;

namespace Transfer.Wan.Reports.Sections;

/// <summary>The table, the statements and the chart of a workload.</summary>
internal static class WorkloadTable
{
    private static readonly (string Header, Func<Result, string> Cell)[] Resources =
    [
        ("client's peak memory", result => ResultCells.Memory(result.Peak)),
        ("other end's", result => ResultCells.Memory(result.FarPeak)),
        ("sent", result => ResultCells.Traffic(result, result.Sent)),
        ("received", result => ResultCells.Traffic(result, result.Received)),
    ];

    /// <param name="workload">What was measured.</param>
    /// <param name="leftOut">What was not, of all workloads: what belongs to this one has a row that says why.</param>
    /// <param name="hasResources">With columns for memory and traffic, where they are known.</param>
    public static MarkdownTable Build(Workload workload, IEnumerable<LeftOut> leftOut, bool hasResources = false)
    {
        var resources = hasResources
            ? Resources.Where(column => workload.Results.Any(result => column.Cell(result) != ResultCells.None)).ToList() : [];
        var table = new MarkdownTable(
            ["client", "server", ">median", ">range", ">rounds", ">time against ours", ">round trips a file", ">client's processor time",
            .. resources.Select(column => ">" + column.Header)]);
        foreach (var result in workload.Sorted())
        {
            table.Add(
                [
                    Sentences.Code(result.Client), result.Server, ResultCells.Median(result), ResultCells.Range(result),
                    ResultCells.Rounds(result),
                    ResultCells.Against(result, workload.OursAt(result.Server)), ResultCells.RoundTrips(result),
                    ResultCells.Processor(result),
                    .. resources.Select(column => column.Cell(result)),
                ]);
        }

        var scenarios = workload.Results.Select(result => result.Scenario).ToHashSet(StringComparer.OrdinalIgnoreCase);
        foreach (var left in leftOut.Where(left => left.Client is not null && scenarios.Contains(left.Scenario)).Distinct())
        {
            table.Add(
                [Sentences.Code(left.Client!), ResultCells.None, left.Why, ResultCells.None, "0", ResultCells.None, ResultCells.None,
                ResultCells.None, .. resources.Select(_ => ResultCells.None)]);
        }

        return table;
    }

    public static string Chart(Workload workload)
    {
        var servers = workload.Results.Select(result => result.Server).Distinct().Count();
        return BarChart.Draw(
            workload.Title,
            "Seconds by client, less is better. The thin line is the range of the rounds.",
            [.. workload.Sorted().Select(
                result =>
                new Bar(servers > 1 ? $"{result.Client} ({result.Server})" : result.Client, result.IsOurs, result.Seconds,
                    ResultCells.Note(result)))],
            Format.Seconds);
    }

    /// <summary>For each server ours beside the nearest and the farthest peer.</summary>
    public static IEnumerable<string> Statements(Workload workload)
    {
        foreach (var server in workload.Results.GroupBy(result => result.Server))
        {
            if (workload.OursAt(server.Key) is { } ours)
                yield return $"{server.Key}: {Comparison.Sentence(ours, [.. server.Where(result => !result.IsOurs)])}";
        }
    }
}
