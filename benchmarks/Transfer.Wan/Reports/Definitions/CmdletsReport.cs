using Transfer.Wan.Clients;
using Transfer.Wan.Reports.Data;
using Transfer.Wan.Reports.Sections;
using Transfer.Wan.Reports.Text;

namespace Transfer.Wan.Reports.Definitions;

/// <summary>The cmdlets' pipelines.</summary>
internal sealed class CmdletsReport : IReportDefinition
{
    public string Name => "cmdlets";

    public string Title => "PowerShell: files of a pipeline";

    public string Introduction =>
        "Small files over a long link by `Get-ChildItem | Send-TransferFile` (`pwsh pipeline`), by `Send-TransferFile` of their folder "
        + "(`pwsh folder`), by `transfer put`, and by SSH.NET with one file after the other, "
        + "as modules over that library send them. `pwsh` starts the shell, imports the module and logs in, and sends nothing.";

    public void Write(ReportPage page, ReportData data)
    {
        foreach (var workload in Workload.Of(data.Results))
        {
            page.Heading(workload.Title);
            page.Points(Statements(workload));
            page.Chart(WorkloadSection.ChartName(workload), workload.Title, WorkloadTable.Chart(workload));
            page.Table(WorkloadTable.Build(workload, data.LeftOut));
        }
    }

    private static IEnumerable<string> Statements(Workload workload)
    {
        double? Median(string client) => workload.Results.FirstOrDefault(result => result.Client == client)?.Seconds?.Median;
        if (Median(PwshClient.Name) is not { } start || Median(PwshClient.Pipeline) is not { } pipeline
            || Median(PwshClient.Folder) is not { } folder)
        {
            yield break;
        }

        yield return $"Start of the shell, import of the module, and log-in: {Format.Seconds(start)}.";
        yield return $"The pipeline beyond that: {Format.Seconds(pipeline - start)}; the folder: {Format.Seconds(folder - start)}: "
            + $"the pipeline takes {Format.Ratio((pipeline - start) / (folder - start))} the folder's time.";
        if (Median("SSH.NET") is { } oneByOne)
        {
            yield return $"`SSH.NET`, one file after the other, takes {Format.Ratio(oneByOne / pipeline)} the time of the whole "
                + "pipeline, the shell's start included.";
        }
    }
}
