namespace Transfer.Batch.Carriers.Link;

/// <summary>How carrying went.</summary>
/// <param name="Lanes">Most lanes that were open at once.</param>
/// <param name="Retries">Archives that were carried more than once.</param>
internal sealed record CarriedJob(int Lanes, int Retries);
