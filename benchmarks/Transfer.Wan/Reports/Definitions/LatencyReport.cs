using Transfer.Wan.Reports.Charts;
using Transfer.Wan.Reports.Data;
using Transfer.Wan.Reports.Sections;
using Transfer.Wan.Reports.Text;

namespace Transfer.Wan.Reports.Definitions;

/// <summary>Document 2: throughput against latency.</summary>
internal sealed class LatencyReport : IReportDefinition
{
    public string Name => "latency";

    public string Title => "Throughput against latency";

    public string Introduction =>
        "One large file over links of growing round-trip time, with jitter and loss. One TCP stream falls with the round trip, because "
        + "it has at most a window under way and comes back slowly from each lost packet. "
        + "Loss is by the packet on the wire; the published figures come from an emulator that probably lost segments of 64 KB whole, "
        + "so that they and these compare in their shape only.";

    public void Write(ReportPage page, ReportData data)
    {
        foreach (var direction in data.Results.Where(result => result.RoundTrip is not null).GroupBy(result => result.Direction)
            .OrderBy(group => group.Key == "up"))
        {
            var curves = LatencyCurves.Of([.. direction]);
            var title = $"MB/s against round-trip time, {direction.Key}";
            page.Heading(Sentences.Capital(direction.Key));
            page.Points(curves.Statements());
            ChartSeries[] series = [.. curves.Series().Where(one => one.Points.Count > 0)];
            if (series.Length > 0)
            {
                page.Chart(direction.Key, title,
                    LineChart.Draw(title, "Both axes are logarithmic; more is better.", "round-trip time, ms", "MB/s", series));
            }

            page.Table(Medians(curves));
            page.Paragraph("All of it:");
            page.Table(Details(curves));
            page.Paragraph("Published (document 2), on other hardware, beside the same programs here:");
            page.Table(PublishedLatency.Build(curves));
        }
    }

    private static MarkdownTable Medians(LatencyCurves curves)
    {
        var table = new MarkdownTable(["MB/s by", .. curves.RoundTrips.Select(trip => ">" + Format.Milliseconds(trip))]);
        foreach (var name in curves.Names)
        {
            table.Add(
                [Sentences.Code(name),
                .. curves.RoundTrips.Select(
                    trip => curves.Find(name, trip) is { } result ? ResultCells.Throughput(result) : ResultCells.None)]);
        }

        return table;
    }

    private static MarkdownTable Details(LatencyCurves curves)
    {
        var table = new MarkdownTable(">round trip", "client", "server", ">MB/s, median", ">range", ">rounds", ">time",
            ">time against ours");
        foreach (var trip in curves.RoundTrips)
        {
            var ours = curves.BestOfOurs(trip);
            foreach (var name in curves.Names)
            {
                if (curves.Find(name, trip) is not { } result) continue;
                var range = result.MegabytesPerSecond is { } rate
                    ? Format.Range(rate.Minimum, rate.Maximum, Format.Digits) : ResultCells.None;
                table.Add(
                    Format.Milliseconds(trip), Sentences.Code(name), result.Server, ResultCells.Throughput(result), range,
                    ResultCells.Rounds(result),
                    ResultCells.Median(result), ResultCells.Against(result, ours));
            }
        }

        return table;
    }
}
