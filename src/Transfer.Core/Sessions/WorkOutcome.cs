namespace Transfer.Sessions;

/// <summary>The outcome of a work item at a session.</summary>
public abstract record WorkOutcome
{
    private WorkOutcome()
    {
    }

    /// <summary>The file is complete, verified, and published where the item requires that.</summary>
    /// <param name="Bytes">Content bytes moved.</param>
    /// <param name="Verified">The check that was really made.</param>
    public sealed record Done(long Bytes, VerificationMode Verified) : WorkOutcome
    {
        /// <summary>
        /// Downloads of a segment, or of a file with a required time: the stamp of the file that was read, from the open handle after all
        /// requests, or from the name before; null: unknown. The engine checks that all segments are of one file, and sets the time of the
        /// local file. Of other downloads: the stamp of a file that was longer behind the transfer, whose bytes the engine compares.
        /// </summary>
        public FileStamp? Source { get; init; }

        /// <summary>
        /// Uploads with a comparison of the length (<see cref="WorkItem.Verify"/>): whether the server confirmed the content but gave no
        /// length to this session. The file still has the name under which it was written, a temporary one if there was one: the engine
        /// looks by other means, and publishes the file.
        /// </summary>
        public bool IsUnseen { get; init; }

        /// <summary>Uploads with a <see cref="WorkItem.LaterPath"/>: whether the file has its final permissions already.</summary>
        public bool HasMode { get; init; }

        /// <summary>
        /// Uploads of a segment: the permissions by <see cref="Transfer.Modes.FinalMode"/> for the whole file, which the engine sets with
        /// its name; null: unknown.
        /// </summary>
        public UnixFileMode? FinalMode { get; init; }

        /// <summary>
        /// Uploads: whether the server does not set or does not show permissions that the caller gave or a replaced file had.
        /// </summary>
        public bool LosesMode { get; init; }
    }

    /// <summary>
    /// The item cannot be done, or not on this session; nothing was published, and the temporary file was deleted if possible.
    /// </summary>
    /// <param name="Error">Why.</param>
    public sealed record Failed(TransferException Error) : WorkOutcome
    {
        /// <summary>
        /// Downloads that ended cleanly at another length than announced, or of a file that was rewritten meanwhile (a transient error):
        /// the offset of that end in the file. The engine begins the file again, if the file has changed.
        /// </summary>
        public long? Arrived { get; init; }

        /// <summary>
        /// Downloads: the file's length, of which the server sent more; all bytes up to that have been written, and none behind.
        /// The engine finds out whether the file has grown.
        /// </summary>
        public long? Exceeded { get; init; }

        /// <summary>
        /// Whether the session was lost before the deletion of the temporary file was confirmed: another session has to look.
        /// </summary>
        public bool MayLeaveTemporary { get; init; }

        /// <summary>
        /// Uploads under the final name: whether the server had opened the file, so that a part of the content may be stored.
        /// </summary>
        public bool MayLeavePart { get; init; }

        /// <summary>Whether the content was verified, and the rename refused.</summary>
        public bool Publishing { get; init; }

        /// <summary>Returns the outcome of a download of a file that was rewritten meanwhile. Another attempt may find one state.</summary>
        /// <param name="path">The file.</param>
        /// <param name="end">The offset behind the last byte received: <see cref="Arrived"/>.</param>
        public static Failed Rewritten(string path, long end)
        {
            var changed = $"{path} changed while it was read.";
            return new(new TransferException(TransferError.Integrity, changed) { RemotePath = path, IsTransient = true }) { Arrived = end };
        }
    }

    /// <summary>
    /// The session was lost after work on the item had begun. <paramref name="Publishing"/> false: at most the temporary file
    /// (or, published directly, the file itself) was touched. True: the content was verified and only the rename's reply is missing.
    /// </summary>
    /// <param name="Publishing">The rename was sent and not answered.</param>
    /// <param name="Error">Why the session was lost.</param>
    public sealed record InDoubt(bool Publishing, TransferException Error) : WorkOutcome
    {
        /// <summary>
        /// The number of content bytes, when all were moved and only the server's last reply is missing: an upload was sent to the end,
        /// into a file that this session had opened, and no other step is missing (<see cref="WorkItem.FlushToDisk"/>); a download ended
        /// cleanly. The engine verifies the file on another session. Null: not all was moved, or in another form than the local one.
        /// </summary>
        public long? Moved { get; init; }
    }

    /// <summary>The item was taken, but no work done: any other session can take it.</summary>
    public sealed record Untouched : WorkOutcome
    {
        /// <summary>Why the session could not begin with the item; null: the session was not the cause.</summary>
        public TransferException? Reason { get; init; }
    }
}
