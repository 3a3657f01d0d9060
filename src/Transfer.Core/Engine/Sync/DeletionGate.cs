namespace Transfer.Engine.Sync;

/// <summary>Whether a synchronisation deletes anything.</summary>
internal enum DeletionGate
{
    /// <summary>There is nothing to be deleted.</summary>
    Nothing,

    /// <summary>Files failed: what they were to replace, or were moved from, may be among what would go.</summary>
    Held,

    /// <summary>It is more than the limit allows.</summary>
    Refused,

    /// <summary>It is deleted.</summary>
    Open,
}
