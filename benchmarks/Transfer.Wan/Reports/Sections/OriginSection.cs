using Transfer.Wan.Records;
using Transfer.Wan.Reports.Data;
using Transfer.Wan.Reports.Text;

namespace Transfer.Wan.Reports.Sections;

/// <summary>When and by which command the figures were made.</summary>
internal static class OriginSection
{
    public static void Write(ReportPage page, ReportData data)
    {
        RunStarted[] runs = [.. data.Runs.Select(run => run.Started).OfType<RunStarted>()];
        foreach (var run in runs)
        {
            var commit = run.Commit is null ? string.Empty
                : $", at commit {run.Commit}{(run.Commit.EndsWith('+') ? " (with changes that were not committed)" : string.Empty)}";
            page.Paragraph(Format.Text($"Measured on {run.Started.UtcDateTime:yyyy-MM-dd HH:mm} UTC{commit}, by"));
            page.Command(run.Command);
        }

        if (runs.Any(run => run.Quick))
            page.Paragraph("`--quick` means smaller data and fewer rounds: it shows the proportions; the full run is the one to quote.");
    }
}
