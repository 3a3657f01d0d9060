using Transfer.Wan.Reports.Data;
using Transfer.Wan.Reports.Targets;
using Transfer.Wan.Reports.Text;

namespace Transfer.Wan.Reports.Definitions;

/// <summary>Every target with our figure.</summary>
internal sealed class TargetsReport : IReportDefinition
{
    public string Name => "targets";

    public string Title => "The targets, and where we are";

    public string Introduction =>
        "Every target of the project with what was measured: met, not met, or not measured and why. The median of the rounds decides, "
        + "and a figure counts for its own run only, so the nearest peer of the same run stands beside it.";

    public bool TakesAllRuns => true;

    public void Write(ReportPage page, ReportData data)
    {
        var judged = TargetTable.All.Select(target => (Target: target, Outcome: target.Judge(data))).ToList();
        page.Paragraph(
            Format.Text($"{judged.Count} rows: {Number(Verdict.Met)} met, {Number(Verdict.NotMet)} not met, ")
            + Format.Text($"{Number(Verdict.NotMeasured)} not measured."));
        foreach (var section in judged.GroupBy(row => row.Target.Section))
        {
            page.Heading(section.Key);
            var table = new MarkdownTable("work", "target", "ours", "nearest peer, same run", "met?");
            foreach (var (target, outcome) in section)
            {
                table.Add(target.Work, target.Goal, outcome.Ours, outcome.Peer,
                    Word(outcome.Verdict));
            }

            page.Table(table);
        }

        int Number(Verdict verdict) => judged.Count(row => row.Outcome.Verdict == verdict);
    }

    private static string Word(Verdict verdict) =>
        verdict switch { Verdict.Met => "met", Verdict.NotMet => "**not met**", _ => "not measured" };
}
