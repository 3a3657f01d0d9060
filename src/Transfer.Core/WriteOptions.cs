namespace Transfer;

/// <summary>How a written file comes to be.</summary>
public record WriteOptions
{
    /// <summary>What to do when the target exists.</summary>
    public Overwrite Overwrite { get; init; } = Overwrite.Fail;

    /// <summary>How the file appears under its name.</summary>
    public PublishMode Publish { get; init; } = PublishMode.Rename;

    /// <summary>
    /// Where files are written before they get their names; null: beside their targets. Relative to the folder of the target, or absolute there. It must be on the file system of the targets, since files are renamed out of it: a
    /// file that can't be fails, and nothing of it stays. Made when it is missing, where <see cref="CreateDirectories"/> says so.
    /// </summary>
    public string? TemporaryFolder { get; init; }

    /// <summary>
    /// Where an existing file goes that would be replaced, under its path relative to the folder of the target; null: it is replaced. Relative to that folder, or absolute on its side, and on the
    /// same file system, since files are renamed into it; made when it is missing. A name that is taken there gets <c>.~1~</c> behind it, or the next number. A file that can't be moved there stays as it is, and its item fails.
    /// </summary>
    public string? BackupFolder { get; init; }

    /// <summary>How it is checked before it is published.</summary>
    public Verification Verify { get; init; } = Verification.Size;

    /// <summary>
    /// Has the content on the target's disk before the file gets its name, which takes longer and outlasts a loss of power. Over SFTP the server must offer it
    /// (fsync@openssh.com); over FTP there is no such thing, and it changes nothing.
    /// </summary>
    public bool FlushToDisk { get; init; }

    /// <summary>The modification time to give it; null: the server's now. Compared by <see cref="Overwrite.Newer"/>.</summary>
    public DateTimeOffset? Modified { get; init; }

    /// <summary>
    /// The POSIX permissions to give it where the server can: nine bits, whatever the umask. Null: those of the file that is replaced; of a new one the source's, or those usual for files (0666), without
    /// what the server's umask takes away. Set-user-id, set-group-id and the sticky bit are never set by a transfer.
    /// </summary>
    public UnixFileMode? Mode { get; init; }

    /// <summary>Creates the directories above the target when they are missing.</summary>
    public bool CreateDirectories { get; init; }
}
