namespace Transfer.Filters;

/// <summary>A piece of a pattern.</summary>
/// <param name="Token">The kind of the piece.</param>
/// <param name="Character">The code point of a literal.</param>
/// <param name="Set">The characters of a set.</param>
internal readonly record struct GlobPiece(GlobToken Token, int Character = 0, GlobSet? Set = null)
{
    /// <summary>Whether the piece matches an empty text.</summary>
    public bool MayBeEmpty => Token is GlobToken.Run or GlobToken.Everything or GlobToken.Folders;
}
