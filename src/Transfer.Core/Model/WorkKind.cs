namespace Transfer.Sessions;

/// <summary>The direction of a work item.</summary>
public enum WorkKind
{
    /// <summary>To the server.</summary>
    Upload,

    /// <summary>From the server.</summary>
    Download,
}
