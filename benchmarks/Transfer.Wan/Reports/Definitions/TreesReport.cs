using Transfer.Wan.Reports.Data;
using Transfer.Wan.Reports.Sections;
using Transfer.Wan.Reports.Text;
using Transfer.Wan.Scenarios;

namespace Transfer.Wan.Reports.Definitions;

/// <summary>Operations on a whole tree over a long link.</summary>
internal sealed class TreesReport : IReportDefinition
{
    public string Name => "trees";

    public string Title => "Operations on a tree";

    public string Introduction =>
        "A tree of 10,000 files in 400 folders of two levels at the server, over a long link: listed, compared with the same tree here, "
        + "deleted, and given permissions. A client that waits for each answer takes a round trip a folder to list, and a round trip an "
        + "entry to delete or to change.";

    public void Write(ReportPage page, ReportData data)
    {
        foreach (var work in Enum.GetValues<TreeWork>())
        {
            var workloads = Workload.Of(data.Results.Where(result => result.Direction == work.Word()));
            if (workloads.Count == 0) continue;
            page.Heading(Sentences.Capital(work.Title()));
            foreach (var workload in workloads) TreeSection.Write(page, workload);
        }
    }
}
