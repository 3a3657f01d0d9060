namespace Transfer;

/// <summary>The origin of the other end's hash of a file, which was compared with ours; from the weakest evidence to the
/// strongest.</summary>
public enum HashSource
{
    /// <summary>The server computed the hash, by a command of the protocol (FTP: HASH, XSHA256 and the like).</summary>
    Server,

    /// <summary>A command on the server's host computed the hash, where the user may run commands (SSH: sha256sum and the like).</summary>
    Command,

    /// <summary>The content was fetched again, and hashed here.</summary>
    ReadBack,
}
