namespace Transfer;

/// <summary>Which side of a synchronisation is changed.</summary>
public enum SyncDirection
{
    /// <summary>The remote folder becomes like the local one.</summary>
    Up,

    /// <summary>The local folder becomes like the remote one.</summary>
    Down,
}
