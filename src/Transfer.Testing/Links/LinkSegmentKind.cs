namespace Transfer.Testing.Links;

/// <summary>The kind of a <see cref="LinkSegment"/>.</summary>
internal enum LinkSegmentKind
{
    Data,
    Fin,
    Reset,
}
