namespace Transfer.PowerShell.Clients;

/// <summary>The stream of PowerShell that a message goes to.</summary>
public enum ClientMessageLevel
{
    /// <summary>Write-Debug.</summary>
    Debug,

    /// <summary>Write-Verbose.</summary>
    Verbose,

    /// <summary>Write-Warning.</summary>
    Warning,
}
