namespace Transfer.Engine.Cleaning;

/// <summary>What becomes of a file that was moved aside and not put back.</summary>
internal enum AsideFate
{
    /// <summary>It stays where it is: too little is known.</summary>
    Stay,

    /// <summary>There is none.</summary>
    Forget,

    /// <summary>It gets its name back, which is free.</summary>
    PutBack,

    /// <summary>It is deleted: the new content has its name.</summary>
    Delete,
}
