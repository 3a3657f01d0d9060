namespace Transfer.Wan.Model;

/// <summary>How the parts of a job ended.</summary>
/// <param name="Seconds">The time from the first part's beginning to the last one's end.</param>
/// <param name="Sent">Files that were sent.</param>
/// <param name="Confirmed">Files that a second run of a part found at the target.</param>
/// <param name="Deaths">Workers that died with a part.</param>
internal sealed record ModelOutcome(double Seconds, double Sent, double Confirmed, int Deaths);
