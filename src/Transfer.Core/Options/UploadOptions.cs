namespace Transfer;

/// <summary>How one file is uploaded, or copied to another server.</summary>
/// <remarks>
/// <see cref="TransferOptions.PreserveModified"/> and <see cref="TransferOptions.PreserveMode"/> count where the source is a file, and <see cref="Modified"/> and <see cref="Mode"/> are null.
/// <see cref="TransferOptions.Segments"/> counts where the source is a file and the server can write at offsets.
/// </remarks>
public sealed record UploadOptions : FileJobOptions
{
    /// <summary>The modification time to give it; null: the source's, or the server's now. Compared by <see cref="OverwriteMode.Newer"/>.</summary>
    public DateTimeOffset? Modified { get; init; }

    /// <summary>
    /// The POSIX permissions to give it where the server can: nine bits, whatever the umask. Null: those of the file that is replaced; of a new one the source's, or those usual for files (0666), without
    /// what the server's umask takes away. Set-user-id, set-group-id and the sticky bit are never set by a transfer.
    /// </summary>
    public UnixFileMode? Mode { get; init; }
}
