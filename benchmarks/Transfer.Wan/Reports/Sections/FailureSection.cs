using Transfer.Wan.Reports.Data;
using Transfer.Wan.Reports.Text;

namespace Transfer.Wan.Reports.Sections;

/// <summary>Turns that failed, with why.</summary>
internal static class FailureSection
{
    private const int LongestReason = 300;

    public static void Write(ReportPage page, ReportData data)
    {
        string[] failures = [.. data.Results.Where(result => result.Failures.Count > 0).Select(Describe)];
        if (failures.Length == 0) return;
        page.Heading("Failures");
        page.Points(failures);
    }

    private static string Describe(Result result)
    {
        var reasons = result.Failures.Select(turn => turn switch
        {
            { Error: { } error } => error.Length > LongestReason ? error[..LongestReason] + " …" : error,
            { FilesMoved: 0 } or { BytesCarried: 0 } => "nothing had arrived when its time was over",
            _ => "no time was recorded",
        });
        return Format.Text(
            $"{Sentences.Code(result.Client)} at {result.Scenario}: {result.Failures.Count} of {result.Turns.Count} turns. ")
            + Format.Text($"{Sentences.Capital(string.Join("; ", reasons.Distinct()))}");
    }
}
