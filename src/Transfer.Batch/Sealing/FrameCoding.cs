namespace Transfer.Batch.Sealing;

/// <summary>How a frame's body holds its payload. The values are the format's.</summary>
internal enum FrameCoding : byte
{
    /// <summary>As it is.</summary>
    Stored = 0,

    /// <summary>What shrinks in one Brotli stream, what does not behind it: <see cref="SplitCoding"/>.</summary>
    Split = 1,
}
