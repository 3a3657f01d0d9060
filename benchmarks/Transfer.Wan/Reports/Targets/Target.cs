using Transfer.Wan.Reports.Data;

namespace Transfer.Wan.Reports.Targets;

/// <summary>One row of the targets: what is asked, and how records are judged by it.</summary>
internal sealed record Target(string Section, string Work, string Goal, Func<ReportData, Outcome> Judge);
