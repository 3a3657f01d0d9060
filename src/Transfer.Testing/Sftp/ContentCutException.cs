namespace Transfer.Testing.Sftp;

/// <summary>A fault cuts the connection in the middle of a file's content.</summary>
internal sealed class ContentCutException(bool reset, bool hasReply) : Exception("A fault has cut the content.")
{
    public bool Reset => reset;

    /// <summary>The reply holds the content before the cut, and is sent.</summary>
    public bool HasReply => hasReply;
}
