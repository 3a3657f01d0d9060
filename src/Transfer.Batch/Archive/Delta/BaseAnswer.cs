namespace Transfer.Batch.Archive.Delta;

/// <summary>What a receiver says of a file that it may have.</summary>
/// <param name="IsLeft">It would leave what it has as it is.</param>
/// <param name="Signature">Of what it has; null: nothing that helps.</param>
internal readonly record struct BaseAnswer(bool IsLeft, BaseSignature? Signature);
