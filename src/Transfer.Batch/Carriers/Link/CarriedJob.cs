namespace Transfer.Batch.Carriers.Link;

/// <summary>How carrying went.</summary>
/// <param name="Lanes">Most lanes that were open at once.</param>
/// <param name="Retries">Archives that were carried more than once.</param>
/// <param name="Late">Files of which the receiver told only at the end that they did not come whole.</param>
internal sealed record CarriedJob(int Lanes, int Retries, IReadOnlyList<ArchiveFailure> Late);
