namespace Transfer.Engine.Sync;

/// <summary>The fate of an extra entry, which only the target has.</summary>
internal enum ExtraFate
{
    /// <summary>The entry stays, and so do the parents.</summary>
    Stay,

    /// <summary>The entry is deleted, as a file or a link is.</summary>
    Delete,

    /// <summary>The entry must first be proved a child directory.</summary>
    Prove,

    /// <summary>The entry is a directory: entered, and removed once empty.</summary>
    Enter,
}
