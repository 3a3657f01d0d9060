namespace Transfer.Batch;

/// <summary>Whether a folder goes in a batch.</summary>
public enum BatchMode
{
    /// <summary>Where that is clearly faster and the server allows it; else file by file.</summary>
    Auto,

    /// <summary>It must; where it can't, nothing is done. What is uploaded keeps its permissions, where this system has such.</summary>
    On,

    /// <summary>It goes file by file.</summary>
    Off,
}
