namespace Transfer.Sessions;

/// <summary>The direction of a work item.</summary>
public enum WorkKind
{
    /// <summary>Content goes from here to the server.</summary>
    Upload,

    /// <summary>Content comes from the server to here.</summary>
    Download,
}
