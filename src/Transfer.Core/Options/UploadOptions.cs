namespace Transfer;

/// <summary>Options for the upload of one file, or for a copy to another server.</summary>
/// <remarks>
/// <see cref="TransferOptions.PreserveModified"/> and <see cref="TransferOptions.PreserveMode"/> count where the source is a file, and
/// <see cref="Modified"/> and <see cref="Mode"/> are null.
/// <see cref="TransferOptions.Segments"/> counts where the source is a file and the server can write at offsets.
/// </remarks>
public sealed record UploadOptions : FileJobOptions
{
    /// <summary>
    /// The modification time to set; null: the source's, or the server's present time. Compared by <see cref="OverwriteMode.Newer"/>.
    /// </summary>
    public DateTimeOffset? Modified { get; init; }

    /// <summary>
    /// The POSIX permissions to set where the server can: nine bits, regardless of the umask. Null: those of the file that is replaced; for
    /// a new one the source's, or those usual for files (0666), minus the server's umask. Set-user-id, set-group-id and the sticky bit are
    /// never set by a transfer.
    /// </summary>
    public UnixFileMode? Mode { get; init; }
}
