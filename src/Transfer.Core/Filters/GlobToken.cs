namespace Transfer.Filters;

/// <summary>The kind of a piece of a pattern.</summary>
internal enum GlobToken
{
    /// <summary>One given character.</summary>
    Literal,

    /// <summary>One character that is no slash.</summary>
    Any,

    /// <summary>One character of a set that holds no slash.</summary>
    Set,

    /// <summary>A run of characters without a slash.</summary>
    Run,

    /// <summary>A run of any characters.</summary>
    Everything,

    /// <summary>Any number of folders, each with the slash behind it.</summary>
    Folders,
}
