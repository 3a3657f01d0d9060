using Transfer.Wan.Reports.Data;
using Transfer.Wan.Reports.Sections;

namespace Transfer.Wan.Reports.Definitions;

/// <summary>Batch mode: ten thousand small files as a stream.</summary>
internal sealed class BatchReport : IReportDefinition
{
    public string Name => "batch";

    public string Title => "Batch mode";

    public string Introduction =>
        "Ten thousand files of 10 KB that cannot be compressed, from folder to folder. `transfer send` goes to a `transfer receive` that waits at the other end, as an sshd does for the others; everything is encrypted on the way, by both. "
        + "`transfer --batch on` goes over SSH by the host's own tar, `transfer` file by file over SFTP. Client, server and link share this machine's processors: where neither the wire nor the round trip is what takes the time, they are.";

    public void Write(ReportPage page, ReportData data)
    {
        foreach (var workload in Workload.Of(data.Results).OrderBy(workload => workload.Direction == "up" ? 0 : 1))
            WorkloadSection.Write(page, workload, data.LeftOut);
    }
}
