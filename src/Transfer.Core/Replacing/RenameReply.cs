namespace Transfer.Replacing;

/// <summary>The answer to one rename, with the corresponding error.</summary>
/// <param name="Answer">The answer.</param>
/// <param name="Error">The error to report if this answer makes the replacement fail; null for <see cref="RenameAnswer.Done"/>.</param>
public readonly record struct RenameReply(RenameAnswer Answer, TransferException? Error = null)
{
    /// <summary>Whether the rename was done.</summary>
    public bool IsDone => Answer == RenameAnswer.Done;
}
