namespace Transfer.Batch;

/// <summary>How large the trial of a way is, and the folder that is worth one.</summary>
/// <param name="Files">The files that go each way.</param>
/// <param name="Least">The least files of a folder that is worth a trial: the slower way must not cost more than is gained.</param>
internal sealed record TrialSizes(int Files, int Least)
{
    public static TrialSizes Usual { get; } = new(3_000, 80_000);
}
