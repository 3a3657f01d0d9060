namespace Transfer;

/// <summary>Where the other end's hash of a file came from that ours was compared with: the less it shows, the earlier.</summary>
public enum HashSource
{
    /// <summary>The server computed it, by its protocol (FTP: HASH, XSHA256 and the like).</summary>
    Server,

    /// <summary>A command of the server's host did, where its user may run commands (SSH: sha256sum and the like).</summary>
    Command,

    /// <summary>The content was fetched again, and hashed here.</summary>
    ReadBack,
}
