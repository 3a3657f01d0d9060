namespace Transfer.Engine.Sync;

/// <summary>Whether a synchronisation deletes extra entries.</summary>
internal enum DeletionGate
{
    /// <summary>There is no entry to delete.</summary>
    Nothing,

    /// <summary>Files failed: their old versions, or the files they were moved from, may be among the deletions.</summary>
    Held,

    /// <summary>The deletions exceed the limit.</summary>
    Refused,

    /// <summary>The entries are deleted.</summary>
    Open,
}
