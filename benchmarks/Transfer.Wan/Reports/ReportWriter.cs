using System.Text;
using Transfer.Wan.Records;
using Transfer.Wan.Reports.Data;
using Transfer.Wan.Reports.Definitions;
using Transfer.Wan.Reports.Sections;

namespace Transfer.Wan.Reports;

/// <summary>Writes reports from records, and from nothing else.</summary>
internal static class ReportWriter
{
    public static IReadOnlyList<IReportDefinition> Definitions { get; } =
        [new SmallFilesReport(), new StartUpReport(), new TreesReport(), new WalksReport(), new BatchReport(), new LatencyReport(),
        new SftpThroughputReport(), new HostToHostReport(), new DotnetFtpFixReport(), new SessionsReport(), new CmdletsReport(),
        new TargetsReport()];

    /// <summary>
    /// Writes <c>REPORT.md</c> and its charts, <c>REPORT-*.svg</c>, in the directory; charts of an earlier run that this one has not are
    /// deleted.
    /// </summary>
    /// <param name="report">The report's name.</param>
    /// <param name="records">One run; or several, of which the last counts. <c>targets</c> takes the last of each report.</param>
    /// <param name="directory">Where to; made where it is missing.</param>
    /// <exception cref="ArgumentException">There is no such report.</exception>
    public static void Write(string report, IReadOnlyList<WanRecord> records, string directory)
    {
        var files = Compose(report, records);
        Directory.CreateDirectory(directory);
        foreach (var old in Directory.EnumerateFiles(directory, report + "-*.svg")) File.Delete(old);
        foreach (var (name, text) in files)
        {
            File.WriteAllText(Path.Combine(directory, name), text,
                new UTF8Encoding(encoderShouldEmitUTF8Identifier: false));
        }
    }

    /// <summary>The report's files by name.</summary>
    /// <exception cref="ArgumentException">There is no such report.</exception>
    public static IReadOnlyDictionary<string, string> Compose(string report, IReadOnlyList<WanRecord> records)
    {
        var definition = Definitions.FirstOrDefault(one => one.Name == report)
            ?? throw new ArgumentException($"there is no report {report}", nameof(report));
        var data = definition.TakesAllRuns ? ReportData.OfAll(records) : ReportData.OfOne(report, records);
        var page = new ReportPage(report);
        page.Heading(definition.Title, level: 1);
        page.Paragraph(definition.Introduction);
        OriginSection.Write(page, data);
        if (data.Results.Count > 0 || definition.TakesAllRuns) definition.Write(page, data);
        else page.Paragraph("Nothing was measured.");
        FailureSection.Write(page, data);
        LeftOutSection.Write(page, data);
        ConditionsSection.Write(page, report, data);
        return page.Finish();
    }
}
