using Transfer.Wan.Reports.Data;

namespace Transfer.Wan.Reports;

/// <summary>One kind of report: what it shows, from whatever was measured.</summary>
internal interface IReportDefinition
{
    /// <summary>Its name: <c>latency</c>.</summary>
    string Name { get; }

    string Title { get; }

    /// <summary>One paragraph: what it shows.</summary>
    string Introduction { get; }

    /// <summary>It takes the runs of all reports that it is given, not only its own.</summary>
    bool TakesAllRuns => false;

    /// <summary>Whatever stands between the introduction and how it was measured.</summary>
    void Write(ReportPage page, ReportData data);
}
