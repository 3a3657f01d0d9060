namespace Transfer.PowerShell;

/// <summary>Which folder of a synchronisation becomes like which.</summary>
public enum TransferDirection
{
    /// <summary>The server's folder becomes like the local one.</summary>
    Up,

    /// <summary>The local folder becomes like the server's.</summary>
    Down,

    /// <summary>The folder of a second server, or another one of the same, becomes like the server's.</summary>
    ServerToServer,
}
