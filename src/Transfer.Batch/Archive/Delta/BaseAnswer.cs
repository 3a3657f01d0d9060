namespace Transfer.Batch.Archive.Delta;

/// <summary>A receiver's answer about a file that may exist there.</summary>
/// <param name="IsSkipped">Whether the receiver would skip the file.</param>
/// <param name="Signature">The signature of the receiver's version; null: no useful one.</param>
internal readonly record struct BaseAnswer(bool IsSkipped, BaseSignature? Signature);
