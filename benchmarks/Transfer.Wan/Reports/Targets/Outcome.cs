namespace Transfer.Wan.Reports.Targets;

/// <summary>Our figure for a target, the nearest peer's of the same run, and what became of it; or why there is none.</summary>
internal sealed record Outcome(Verdict Verdict, string Ours, string Peer = "–")
{
    public static Outcome Missing(string why) => new(Verdict.NotMeasured, why);
}
