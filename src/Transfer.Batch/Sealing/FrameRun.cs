namespace Transfer.Batch.Sealing;

/// <summary>A part of a frame's payload.</summary>
/// <param name="Length">The part's length in bytes.</param>
/// <param name="Shrinks">Whether the part is worth compressing.</param>
internal readonly record struct FrameRun(int Length, bool Shrinks);
