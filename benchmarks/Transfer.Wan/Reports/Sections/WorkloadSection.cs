using Transfer.Wan.Records;

namespace Transfer.Wan.Reports.Sections;

/// <summary>A workload as a section: statements, chart, table.</summary>
internal static class WorkloadSection
{
    /// <param name="page">Where to.</param>
    /// <param name="workload">What was measured.</param>
    /// <param name="leftOut">What was not.</param>
    /// <param name="hasResources">With columns for memory and traffic, where they are known.</param>
    public static void Write(ReportPage page, Workload workload, IEnumerable<LeftOut> leftOut, bool hasResources = false)
    {
        page.Heading(workload.Title);
        page.Points(WorkloadTable.Statements(workload));
        page.Chart(ChartName(workload), workload.Title, WorkloadTable.Chart(workload));
        page.Table(WorkloadTable.Build(workload, leftOut, hasResources));
    }

    /// <summary>A name for the workload's chart that files can have, the same in every run.</summary>
    public static string ChartName(Workload workload)
    {
        var name =
            $"{workload.Files}x{Text.Format.Size(workload.Files > 0 ? (double)workload.Bytes / workload.Files : 0)}-{workload.Direction}-{workload.Protocol}-{workload.LinkName}{(workload.IsCold ? "-cold" : string.Empty)}";
        return string.Concat(name.Where(letter => char.IsAsciiLetterOrDigit(letter) || letter is '-' or '.')).ToLowerInvariant();
    }
}
