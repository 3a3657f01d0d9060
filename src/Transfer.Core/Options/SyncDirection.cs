namespace Transfer;

/// <summary>The direction of a synchronisation, which decides the side to change.</summary>
public enum SyncDirection
{
    /// <summary>The remote folder becomes like the local one.</summary>
    Up,

    /// <summary>The local folder becomes like the remote one.</summary>
    Down,
}
