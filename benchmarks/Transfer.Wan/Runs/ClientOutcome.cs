namespace Transfer.Wan.Runs;

/// <summary>How a command ended.</summary>
/// <param name="Seconds">Wall-clock time from before its start to its end.</param>
/// <param name="ProcessorSeconds">Processor time of it and its children; null: not known.</param>
/// <param name="WasStopped">It took too long.</param>
/// <param name="Error">What it said when it failed; null: it did not.</param>
/// <param name="Arrived">Bytes that had arrived when it was stopped; null: it was not.</param>
/// <param name="PeakBytes">The most memory that it had resident; null: not known.</param>
/// <param name="Output">What it printed.</param>
/// <param name="FirstSeconds">The time to the first line of that; null: there was none.</param>
internal sealed record ClientOutcome(double Seconds, double? ProcessorSeconds, bool WasStopped, string? Error, long? Arrived,
    long? PeakBytes, string Output = "", double? FirstSeconds = null);
