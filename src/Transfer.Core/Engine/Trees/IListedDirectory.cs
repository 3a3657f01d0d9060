namespace Transfer.Engine.Trees;

/// <summary>A directory of a walk from above.</summary>
internal interface IListedDirectory
{
    /// <summary>The sign of the listing; that of an empty one before the end of the listing.</summary>
    ListingSign Sign { get; }

    /// <summary>The directory above; null: the walk began here.</summary>
    IListedDirectory? Above { get; }
}
