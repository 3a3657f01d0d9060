using Transfer.Wan.Reports.Data;
using Transfer.Wan.Reports.Published;
using Transfer.Wan.Reports.Sections;

namespace Transfer.Wan.Reports.Definitions;

/// <summary>Document 1: many small files at 100 ms.</summary>
internal sealed class SmallFilesReport : IReportDefinition
{
    public string Name => "small-files";

    public string Title => "Small files";

    public string Introduction =>
        "Folders of small files to and from real servers over a long link, by `transfer` and by what people use today. A small file "
        + "costs a stock client several round trips, whatever the rate: "
        + "the column \"round trips a file\" is the time for a file divided by the link's round trip, and falls below what one session "
        + "needs where files or sessions overlap.";

    public void Write(ReportPage page, ReportData data)
    {
        page.Heading("What was published");
        page.Published(PublishedFigures.ArchiveBatching);
        foreach (var workload in Workload.Of(data.Results).OrderBy(workload => workload.Files).ThenBy(
            workload => workload.Direction == "up" ? 0 : 1))
        {
            WorkloadSection.Write(page, workload, data.LeftOut);
        }
    }
}
