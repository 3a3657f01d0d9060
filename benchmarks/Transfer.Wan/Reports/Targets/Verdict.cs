namespace Transfer.Wan.Reports.Targets;

/// <summary>What became of a target.</summary>
internal enum Verdict
{
    NotMeasured,
    NotMet,
    Met,
}
