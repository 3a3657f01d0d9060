namespace Transfer.Batch;

/// <summary>How large the trial of a way is, and the folder that is worth one.</summary>
/// <param name="Files">The files that go each way.</param>
/// <param name="Least">The least files of an upload that is worth a trial: the slower way must not cost more than is gained.</param>
/// <param name="After">How long a download goes file by file before a trial: about as much is likely to follow.</param>
internal sealed record TrialSizes(int Files, int Least, TimeSpan After)
{
    public static TrialSizes Usual { get; } = new(3_000, 80_000, TimeSpan.FromSeconds(30));
}
