namespace Transfer.Batch.Sealing;

/// <summary>A part of a frame's payload.</summary>
/// <param name="Length">Its bytes.</param>
/// <param name="Shrinks">It is worth compressing.</param>
internal readonly record struct FrameRun(int Length, bool Shrinks);
