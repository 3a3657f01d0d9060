namespace Transfer.Testing.Links;

/// <summary>What a <see cref="LinkSegment"/> is.</summary>
internal enum LinkSegmentKind
{
    Data,
    Fin,
    Reset,
}
