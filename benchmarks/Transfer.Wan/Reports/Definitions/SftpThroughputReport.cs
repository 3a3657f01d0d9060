using Transfer.Wan.Reports.Charts;
using Transfer.Wan.Reports.Data;
using Transfer.Wan.Reports.Sections;
using Transfer.Wan.Reports.Text;

namespace Transfer.Wan.Reports.Definitions;

/// <summary>Document 3: SFTP throughput by streams and ciphers.</summary>
internal sealed class SftpThroughputReport : IReportDefinition
{
    public string Name => "sftp-throughput";

    public string Title => "SFTP throughput by streams and ciphers";

    public string Introduction =>
        "One large file a stream, all streams at once, over loopback: no link limits it, so what limits it is enciphering, copying and "
        + "the server's own work, on processors that client and server share. "
        + "Document 3 published that encryption and MAC are the bottleneck of an SFTP server and that aes128-gcm about doubles the "
        + "throughput of aes128-ctr with hmac-sha2-256; it gave proportions, not a table.";

    public void Write(ReportPage page, ReportData data)
    {
        foreach (var direction in data.Results.GroupBy(result => result.Direction).OrderBy(group => group.Key == "up"))
        {
            var curves = new StreamCurves([.. direction]);
            var title = $"MB/s against streams, {direction.Key}";
            page.Heading(Sentences.Capital(direction.Key));
            page.Points(curves.Statements());
            ChartSeries[] series = [.. curves.Series().Where(one => one.Points.Count > 0)];
            if (series.Length > 0)
            {
                page.Chart(direction.Key, title,
                    LineChart.Draw(title, "Both axes are logarithmic; more is better.", "streams", "MB/s", series));
            }

            var table = new MarkdownTable(
                ["MB/s by", .. curves.Streams.Select(streams => ">" + (streams == 1 ? "1 stream" : Format.Count(streams) + " streams"))]);
            foreach (var name in curves.Names)
            {
                table.Add(
                    [name, .. curves.Streams.Select(
                        streams => curves.Find(name, streams) is { } result ? ResultCells.Throughput(result) : ResultCells.None)]);
            }

            page.Table(table);
            page.Paragraph("All of it:");
            foreach (var workload in Workload.Of(direction).OrderBy(workload => workload.Files))
            {
                page.Paragraph(workload.Title + ":");
                page.Table(WorkloadTable.Build(workload, data.LeftOut));
            }
        }
    }
}
