using Transfer.Wan.Reports.Text;

namespace Transfer.Wan.Reports.Sections;

/// <summary>The table of an operation on a tree.</summary>
internal static class TreeSection
{
    /// <summary>Each server's clients, the fastest first; with the time to the first line where clients print.</summary>
    public static MarkdownTable Build(Workload workload)
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
