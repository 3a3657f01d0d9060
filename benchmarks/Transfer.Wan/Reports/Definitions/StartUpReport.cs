using Transfer.Wan.Reports.Data;
using Transfer.Wan.Reports.Sections;

namespace Transfer.Wan.Reports.Definitions;

/// <summary>One small file: what the start of a command costs.</summary>
internal sealed class StartUpReport : IReportDefinition
{
    public string Name => "start-up";

    public string Title => "One small file";

    public string Introduction =>
        "One file of 10 KB over a long link, by the whole command: the start of the program, connecting, logging in, the file, and the "
        + "goodbye. The column \"round trips a file\" is all of that in round trips of the link. `by password` logs in with a password "
        + "that the server hashes as Debian does (yescrypt), where the others over SSH have a key.";

    public void Write(ReportPage page, ReportData data)
    {
        foreach (var workload in Workload.Of(data.Results)) WorkloadSection.Write(page, workload, data.LeftOut);
    }
}
