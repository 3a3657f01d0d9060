namespace Transfer.Sessions;

/// <summary>What a work item asks of a session.</summary>
public enum WorkKind
{
    /// <summary>Content goes from here to the server.</summary>
    Upload,

    /// <summary>Content comes from the server to here.</summary>
    Download,
}
