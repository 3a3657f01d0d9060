using Transfer.Wan.Reports.Text;

namespace Transfer.Wan.Reports.Sections;

/// <summary>An operation on a tree: statements, chart, table.</summary>
internal static class TreeSection
{
    public static void Write(ReportPage page, Workload workload)
    {
        page.Points(WorkloadTable.Statements(workload));
        page.Chart(WorkloadSection.ChartName(workload), workload.Title, WorkloadTable.Chart(workload));
        page.Table(Build(workload));
    }

    // Each server's clients, the fastest first; with the time to the first line where clients print.
    private static MarkdownTable Build(Workload workload)
    {
        var hasFirst = workload.Results.Any(result => result.First is not null);
        var table = new MarkdownTable(
            ["client", "protocol", "server", ">median", ">range", ">rounds", .. hasFirst ? [">first line"] : Array.Empty<string>(),
            ">time against ours", ">client's processor time", ">client's peak memory"]);
        foreach (var result in workload.Sorted())
        {
            table.Add(
                [
                    Sentences.Code(result.Client), result.Protocol, result.Server, ResultCells.Median(result), ResultCells.Range(result),
                    ResultCells.Rounds(result),
                    .. hasFirst ? [result.First is { } first ? Format.Seconds(first.Median) : ResultCells.None] : Array.Empty<string>(),
                    ResultCells.Against(result, workload.OursAt(result.Server)), ResultCells.Processor(result),
                    ResultCells.Memory(result.Peak),
                ]);
        }

        return table;
    }
}
