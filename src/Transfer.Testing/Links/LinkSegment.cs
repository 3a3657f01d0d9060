namespace Transfer.Testing.Links;

/// <summary>Something on its way through a link.</summary>
/// <param name="Arrives">When, in ticks of the link's clock.</param>
/// <param name="Kind">What.</param>
/// <param name="Buffer">A pooled buffer, for data.</param>
/// <param name="Length">Bytes in it.</param>
internal readonly record struct LinkSegment(long Arrives, LinkSegmentKind Kind, byte[]? Buffer = null, int Length = 0);
