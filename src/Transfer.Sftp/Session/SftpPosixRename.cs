namespace Transfer.Sftp.Session;

/// <summary>The worth of posix-rename@openssh.com at a server that announces the extension.</summary>
internal enum SftpPosixRename
{
    /// <summary>Not known yet.</summary>
    Untried,

    /// <summary>A file was renamed by the extension.</summary>
    Works,

    /// <summary>RENAME has done what the extension had refused, or the server lacks the extension.</summary>
    Fails,
}
