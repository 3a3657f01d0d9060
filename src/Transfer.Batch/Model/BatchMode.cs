namespace Transfer;

/// <summary>Whether a directory goes in a batch.</summary>
public enum BatchMode
{
    /// <summary>In a batch where a batch is clearly faster and the server allows one; else file by file.</summary>
    Auto,

    /// <summary>In a batch; where that is impossible the job fails and nothing is changed. Uploaded files keep their permissions, where
    /// this system has such.</summary>
    Always,

    /// <summary>File by file.</summary>
    Never,
}
