using Transfer.Companions;

namespace Transfer.Testing.Links;

/// <summary>A segment on its way through a link.</summary>
/// <param name="Arrives">The time of arrival, in ticks of the link's clock.</param>
/// <param name="Kind">The kind.</param>
/// <param name="Buffer">A pooled buffer, for data.</param>
/// <param name="Length">The bytes in the buffer.</param>
/// <param name="Share">The share of the bytes that may be on the way, for data.</param>
internal readonly record struct LinkSegment(
    long Arrives, LinkSegmentKind Kind, byte[]? Buffer = null, int Length = 0, BudgetShare? Share = null);
