using Transfer.Wan.Reports.Data;
using Transfer.Wan.Reports.Sections;

namespace Transfer.Wan.Reports.Definitions;

/// <summary>A million files, listed.</summary>
internal sealed class WalksReport : IReportDefinition
{
    public string Name => "walks";

    public string Title => "A million files";

    public string Introduction =>
        "A tree of a million empty files in 10,000 folders at real servers, listed over loopback: `transfer ls -R` beside "
        + "`rclone lsf -R`. Round trips cost nothing here, so what an entry costs client and server on shared processors decides, and "
        + "how much of the list the client holds in memory.";

    public void Write(ReportPage page, ReportData data)
    {
        foreach (var workload in Workload.Of(data.Results))
        {
            page.Heading(workload.Protocol);
            TreeSection.Write(page, workload);
        }
    }
}
