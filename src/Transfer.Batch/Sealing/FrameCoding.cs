namespace Transfer.Batch.Sealing;

/// <summary>How a frame's body holds the payload. The values are those of the format.</summary>
internal enum FrameCoding : byte
{
    /// <summary>Unchanged.</summary>
    Stored = 0,

    /// <summary>The parts that shrink in one Brotli stream, the other parts behind it: <see cref="SplitCoding"/>.</summary>
    Split = 1,
}
