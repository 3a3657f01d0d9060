namespace Transfer.Sftp;

/// <summary>
/// What a client does with servers that differ from the usual. By default the client finds that out, and remembers it for the host; a way
/// that is named here is used from the first request on, and no other.
/// </summary>
public sealed record SftpCompatibility
{
    /// <summary>The plainest ways that still give files their times.</summary>
    public static SftpCompatibility Plainest { get; } = new() { AwaitsReplies = true, RenamesPlainly = true };

    /// <summary>
    /// A request that builds upon another (OPEN, WRITE, CLOSE, RENAME) waits for the reply, for servers that run requests at once: an
    /// upload takes two or three round trips more.
    /// </summary>
    public bool AwaitsReplies { get; init; }

    /// <summary>
    /// Renames by SSH_FXP_RENAME (draft-ietf-secsh-filexfer-02 section 6.5), never by posix-rename@openssh.com: an old file is moved aside
    /// before.
    /// </summary>
    public bool RenamesPlainly { get; init; }

    /// <summary>Sends no SETSTAT, FSETSTAT or lsetstat@openssh.com: files keep the server's times and permissions.</summary>
    public bool LeavesAttributes { get; init; }
}
