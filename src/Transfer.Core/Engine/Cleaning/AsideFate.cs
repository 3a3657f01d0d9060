namespace Transfer.Engine.Cleaning;

/// <summary>The fate of an aside that was not put back.</summary>
internal enum AsideFate
{
    /// <summary>The aside stays: too little is known.</summary>
    Stay,

    /// <summary>The aside is gone.</summary>
    Forget,

    /// <summary>The aside gets the original name back, which is free.</summary>
    PutBack,

    /// <summary>The aside is deleted: the new content has the original name.</summary>
    Delete,
}
