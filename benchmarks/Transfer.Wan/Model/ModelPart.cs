namespace Transfer.Wan.Model;

/// <summary>A part of a job.</summary>
/// <param name="Files">The files that are not at the target yet.</param>
/// <param name="Done">The files that are, from runs that died.</param>
internal readonly record struct ModelPart(double Files, double Done);
