namespace Transfer.Engine.Sync;

/// <summary>What becomes of an entry that only the target has.</summary>
internal enum ExtraFate
{
    /// <summary>It stays, and so do the directories that it is in.</summary>
    Stay,

    /// <summary>It is deleted, as a file or a link is.</summary>
    Delete,

    /// <summary>Whether it is a directory in this one is to be proved first.</summary>
    Prove,

    /// <summary>It is a directory: it is entered, and goes when it is empty.</summary>
    Enter,
}
