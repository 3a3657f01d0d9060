namespace Transfer.Engine.Trees;

/// <summary>A look at one name of a directory.</summary>
/// <param name="Entry">The entry; null: absent, unless there is an error.</param>
/// <param name="Error">Why the existence is not known; null: known.</param>
internal readonly record struct TreeLook(TreeEntry? Entry, TransferException? Error)
{
    /// <summary>Whether the name is free.</summary>
    public bool IsAbsent => Entry is null && Error is null;
}
