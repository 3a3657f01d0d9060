using Transfer.Wan.Records;
using Transfer.Wan.Reports.Data;
using Transfer.Wan.Reports.Text;

namespace Transfer.Wan.Reports.Sections;

/// <summary>What was not measured, with why; what has the same reason stands together.</summary>
internal static class LeftOutSection
{
    public static void Write(ReportPage page, ReportData data)
    {
        string[] points = [.. data.LeftOut.GroupBy(left => (left.Client, left.Why)).Select(Describe)];
        if (points.Length == 0) return;
        page.Heading("Left out");
        page.Points(points);
    }

    private static string Describe(IGrouping<(string? Client, string Why), LeftOut> group)
    {
        string[] scenarios = [.. group.Select(left => left.Scenario).Distinct()];
        var who = group.Key.Client is { } client ? Sentences.Code(client) : "all clients";
        var where = scenarios.Length <= 3 ? Sentences.List(scenarios) : Format.Text($"{scenarios[0]} and {scenarios.Length - 1} more");
        return $"{who}, {where}: {group.Key.Why}";
    }
}
