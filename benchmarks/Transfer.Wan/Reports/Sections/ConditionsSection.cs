using Transfer.Wan.Records;
using Transfer.Wan.Reports.Data;
using Transfer.Wan.Reports.Text;

namespace Transfer.Wan.Reports.Sections;

/// <summary>How it was measured: the machine, the versions, the links as asked for and as they were.</summary>
internal static class ConditionsSection
{
    public static void Write(ReportPage page, string report, ReportData data)
    {
        page.Heading("How it was measured");
        page.Paragraph(
            "A time is that of the whole command, from its start to its end, log-in included; contents were compared after every turn "
            + "that ran to its end, and modification times with `transfer`, `rsync` and `tar` (to 100 ns; to a second with `tar`, and "
            + "`transfer` file by file, over FTP upwards only). Each client had one turn in a round, in an order that changes. "
            + "Tables give the median and the range of the rounds; MB/s are 10^6 bytes of content a second.");
        if (data.Results.Any(result => result.IsExtrapolated))
        {
            page.Paragraph(
                "\\* extrapolated: the client moved a part of the files, and the time is that of all of them at the same pace, its "
                + "start and log-in counted as often, which makes it somewhat longer than it would have been.");
        }

        if (data.Results.Any(result => result.IsStopped))
        {
            page.Paragraph(
                "† stopped: the client's time was over before it had moved everything; the time is that of all bytes at the rate until "
                + "then, and contents were not compared. Of a client that reserves the file's room, what the link carried counts.");
        }

        var told = new Dictionary<string, string>(StringComparer.Ordinal);
        foreach (var run in data.Runs)
        {
            if (run.Started is { } started)
            {
                if (data.Runs.Count > 1) page.Heading($"The run of {started.Report}", level: 3);
                WriteMachine(page, started, told);
            }

            WriteLinks(page, run);
        }

        string[] reports = [.. data.Runs.Select(run => run.Started?.Report ?? report).DefaultIfEmpty(report).Distinct()];
        page.Paragraph(
            $"The data of this page: {Sentences.List(reports.Select(name => $"[data/{name}.jsonl](data/{name}.jsonl)"))}. Limits of "
            + "such figures: [benchmarking.md](../internals/benchmarking.md#limits-of-the-reports).");
    }

    // Conditions that equal those of an earlier run are left out.
    private static void WriteMachine(ReportPage page, RunStarted started, Dictionary<string, string> told)
    {
        KeyValuePair<string, string>[] facts =
        [
            new("machine", started.Machine), new("kernel", started.Kernel), new("congestion control", started.CongestionControl),
            .. started.Versions.OrderBy(pair => pair.Key, StringComparer.OrdinalIgnoreCase),
        ];
        if (!told.TryAdd(string.Join('\n', facts), started.Report))
        {
            page.Paragraph($"Machine and programs as in the run of {told[string.Join('\n', facts)]}.");
            return;
        }

        var table = new MarkdownTable("what", "which");
        foreach (var (what, which) in facts) table.Add(what, which);
        page.Table(table);
    }

    private static void WriteLinks(ReportPage page, Run run)
    {
        var links = new MarkdownTable("link", "by", ">round trip asked", ">given", ">rate asked", ">given", ">loss asked", ">given",
            ">jitter asked", ">given");
        foreach (var link in run.Links)
        {
            links.Add(
                [
                    link.Link, link.Means,
                    .. Pair(link, shape => Format.Milliseconds(shape.RoundTrip)),
                    .. Pair(link, shape => shape.Rate > 0 ? Format.Rate(shape.Rate) : "unlimited"),
                    .. Pair(link, shape => Format.Percent(shape.Loss)), .. Pair(link, shape => Format.Milliseconds(shape.Jitter)),
                ]);
        }

        page.Table(links);
        if (run.Links.Any(link => link.Means == "in-process"))
        {
            page.Paragraph(
                "**In-process link:** this machine could not make a network of its own, so the link relays sockets inside the measuring "
                + "program: it delays and limits bytes, but knows no packets, no loss and no slow start. "
                + "Only clients of our own were measured over it.");
        }
    }

    private static IEnumerable<string> Pair(LinkChecked link, Func<LinkShape, string> format) => [format(link.Asked), format(link.Given)];
}
