namespace Transfer.Engine.Trees;

/// <summary>A look at one name of a directory.</summary>
/// <param name="Entry">What is there; null: nothing, unless there is an error.</param>
/// <param name="Error">Why it is not known whether something is there; null: it is known.</param>
internal readonly record struct TreeLook(TreeEntry? Entry, TransferException? Error)
{
    /// <summary>Nothing has the name.</summary>
    public bool IsAbsent => Entry is null && Error is null;
}
