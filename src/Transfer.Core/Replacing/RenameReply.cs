namespace Transfer.Replacing;

/// <summary>The answer to one rename, with the error it stands for.</summary>
/// <param name="Answer">The answer.</param>
/// <param name="Error">The error to report if the replacement fails because of it; null for <see cref="RenameAnswer.Done"/>.</param>
public readonly record struct RenameReply(RenameAnswer Answer, TransferException? Error = null)
{
    /// <summary>The rename was done.</summary>
    public bool IsDone => Answer == RenameAnswer.Done;
}
